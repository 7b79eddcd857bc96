# Three panels: g'(0) against beta, against n, and s(t) along the run.
width = 17.8; height = 6.6
load style
set multiplot layout 1,3 margins 0.07,0.985,0.16,0.85 spacing 0.085,0
schemes = "post pre mix peri ngpt sqrt"
titles = "Post-LN Pre-LN Mix-LN Peri-LN nGPT sqrt-scaling"
types = sprintf("%d %d %d %d %d %d", lt_post, lt_pre, lt_mix, lt_peri, lt_ngpt, lt_sqrt)
of(panel, scheme, y) = (stringcolumn("panel") eq panel && stringcolumn("scheme") eq scheme) ? y : NaN

unset key
set logscale y
set format y "10^{%L}"
set xlabel "{/:Italic β} (n = 256)"
set ylabel "initial velocity g'(0)"
set label 1 "Peri-LN = nGPT" at graph 0.30, graph 0.83 font ",6.5"
set label 2 "Post = Pre = Mix = sqrt" at graph 0.04, graph 0.42 font ",6.5"
plot for [i=1:6] csv using "x":(of("beta", word(schemes, i), column("y"))) lt int(word(types, i)) notitle

set logscale x
set format x "10^{%L}"
set xlabel "n ({/:Italic β} = 5)"
set label 1 "Peri-LN = nGPT" at graph 0.45, graph 0.83 font ",6.5"
set label 2 "Post = Pre = Mix = sqrt" at graph 0.04, graph 0.35 font ",6.5"
plot for [i=1:6] csv using "x":(of("n", word(schemes, i), column("y"))) lt int(word(types, i)) notitle

unset label 1
unset label 2
set xlabel "time t (n = 256, {/:Italic β} = 5)"
set ylabel "speed factor s(t)"
plot for [i=1:6] csv using "x":(of("s", word(schemes, i), column("y"))) lt int(word(types, i)) notitle
unset logscale

# One key for all panels: a plot without data across the whole page.
set key at screen 0.53, screen 0.985 center top horizontal samplen 3
set lmargin at screen 0.02
set rmargin at screen 0.98
set tmargin at screen 0.99
set bmargin at screen 0.9
unset border
unset tics
unset xlabel
unset ylabel
set xrange [0:1]
set yrange [0:1]
plot 0 with dots lc rgb "#ffffff" notitle, for [i=1:6] keyentry with lines lt int(word(types, i)) title word(titles, i)
unset multiplot

# Left: the cosine; right: 1-g and the predicted terminal laws.
width = 17.8; height = 7.0
load style
set multiplot layout 1,2 margins 0.075,0.985,0.15,0.86 spacing 0.10,0
schemes = "post pre mix peri ngpt sqrt"
titles = "Post-LN Pre-LN Mix-LN Peri-LN nGPT sqrt-scaling"
types = sprintf("%d %d %d %d %d %d", lt_post, lt_pre, lt_mix, lt_peri, lt_ngpt, lt_sqrt)

unset key
set xlabel "time t"
set ylabel "cosine g(t)"
set xrange [0:30]
set yrange [0:1.02]
plot for [i=1:6] csv using "t":(where("scheme", word(schemes, i), column("g"))) lt int(word(types, i)) notitle

set logscale xy
set format y "10^{%L}"
set format x "10^{%L}"
set xlabel "time t"
set ylabel "1 - g(t)"
set xrange [0.5:1e4]
set yrange [1e-12:3]
set label 1 "thin grey:\npredicted law,\nconstant included" at graph 0.98, graph 0.22 right font ",6.5" textcolor rgb "#555555"
plot for [i=1:6] csv using "t":(where("scheme", word(schemes, i), column("one_minus_g"))) lt int(word(types, i)) notitle, \
     for [i=1:6] csv using "t":(where("scheme", word(schemes, i), column("terminal_law"))) ls theory notitle
unset label 1
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

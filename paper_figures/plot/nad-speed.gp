# Three panels: g'(0) against beta, against n, and s(t) along the run.
width = 17.8; height = 6.6
load style
set multiplot layout 1,3 margins 0.07,0.985,0.16,0.85 spacing 0.085,0
schemes = "post pre mix peri ngpt sqrt"
titles = "Post-LN Pre-LN Mix-LN Peri-LN nGPT sqrt-scaling"
types = sprintf("%d %d %d %d %d %d", lt_post, lt_pre, lt_mix, lt_peri, lt_ngpt, lt_sqrt)
of(panel, scheme, y) = (stringcolumn("panel") eq panel && stringcolumn("scheme") eq scheme) ? y : NaN

set key at screen 0.53, screen 0.985 center top horizontal maxrows 1 samplen 2.5
set logscale y
set format y "10^{%L}"
set xlabel "{/:Italic β} (n = 256)"
set ylabel "initial velocity g'(0)"
plot for [i=1:6] csv using "x":(of("beta", word(schemes, i), column("y"))) lt int(word(types, i)) title word(titles, i)

unset key
set logscale x
set format x "10^{%L}"
set xlabel "n ({/:Italic β} = 5)"
plot for [i=1:6] csv using "x":(of("n", word(schemes, i), column("y"))) lt int(word(types, i)) notitle

set xlabel "time t (n = 256, {/:Italic β} = 5)"
set ylabel "speed factor s(t)"
plot for [i=1:6] csv using "x":(of("s", word(schemes, i), column("y"))) lt int(word(types, i)) notitle
unset multiplot

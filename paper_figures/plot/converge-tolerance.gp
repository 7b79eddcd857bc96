# Asked tolerance against true error under global control: left double, right 33 digits. The promise is the
# upper line, ten times the tolerance.
width = 17.8; height = 7.2
load style
set multiplot layout 1,2 margins 0.075,0.985,0.15,0.86 spacing 0.10,0
methods = "dop853 dopri5 fehlberg78 bulirsch_stoer taylor"
titles = "DOP853 dopri5 Fehlberg_7(8) Bulirsch–Stoer Taylor"
types = "6 3 4 2 1"
both(m, d, y) = (stringcolumn("method") eq m && stringcolumn("digits") eq d) ? y : NaN
name(i) = system("printf %s '".word(titles, i)."' | tr _ ' '")
unset key
set logscale xy
set format x power_of_ten
set format y power_of_ten
set xlabel "tolerance asked for"
set ylabel "true error of log(1 - g)"
set xrange [1e-3:1e-14] reverse
plot for [i=1:5] csv using (both(word(methods, i), "15", column("tolerance"))):"error" \
  with linespoints lt int(word(types, i)) notitle, 10*x ls theory notitle, x ls theory notitle
set xrange [1e-2:1e-31] reverse
plot for [i=1:5] csv using (both(word(methods, i), "33", column("tolerance"))):"error" \
  with linespoints lt int(word(types, i)) notitle, 10*x ls theory notitle, x ls theory notitle
unset logscale
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
plot 0 with dots lc rgb "#ffffff" notitle, \
  for [i=1:5] keyentry with linespoints lt int(word(types, i)) title name(i), \
  keyentry with lines ls theory title "tolerance, and 10 times it"
unset multiplot

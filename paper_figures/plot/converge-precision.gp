# Work against precision: left to 30 digits, right to 300. One line a method and number type.
width = 17.8; height = 7.6
load style
set multiplot layout 1,2 margins 0.075,0.975,0.15,0.88 spacing 0.10,0
methods = "dopri5 fehlberg78 bulirsch_stoer taylor"
titles = "dopri5 Fehlberg_7(8) Bulirsch–Stoer Taylor"
types = "3 4 2 1"
digits = "15 33 50 100 300"
points = "7 5 9 11 13"
both(m, d, y) = (stringcolumn("method") eq m && stringcolumn("digits") eq d) ? y : NaN
name(i) = system("printf %s '".word(titles, i)."' | tr _ ' '")

set key inside bottom right vertical samplen 1 maxcols 1
set logscale xy
set format x power_of_ten
set format y power_of_ten
set ylabel "seconds"
set xlabel "true error of log(1 - g)"
set xrange [1e-2:1e-34] reverse
plot for [i=1:4] for [j=1:5] csv using (both(word(methods, i), word(digits, j), column("error"))):"seconds" \
  with linespoints lt int(word(types, i)) pt int(word(points, j)) notitle, \
  for [j=1:5] keyentry with points lc rgb "#333333" pt int(word(points, j)) title "numbers of ".word(digits, j)." digits"
unset key
set xrange [1e-2:1e-305] reverse
plot for [i=1:4] for [j=1:5] csv using (both(word(methods, i), word(digits, j), column("error"))):"seconds" \
  with linespoints lt int(word(types, i)) pt int(word(points, j)) notitle
unset logscale

# One key for both panels: a plot without data across the whole page.
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
set key at screen 0.53, screen 0.985 center top horizontal samplen 3 maxcols auto maxrows auto
plot 0 with dots lc rgb "#ffffff" notitle, \
  for [i=1:4] keyentry with lines lt int(word(types, i)) title name(i)
unset multiplot

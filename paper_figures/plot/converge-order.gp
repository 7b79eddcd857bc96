# Error against step at fixed steps; the nominal orders are the slopes.
load style
methods = "euler rk4 dopri5 dop853 fehlberg78"
titles = "Euler RK4 dopri5 DOP853 Fehlberg_7(8)"
types = "2 7 3 6 4"
name(i) = system("printf %s '".word(titles, i)."' | tr _ ' '")
set logscale xy
set format x power_of_ten
set format y power_of_ten
set xlabel "step"
set ylabel "error of log(1 - g)"
plot for [i=1:5] csv using "step":(where("method", word(methods, i), column("error"))) \
  with linespoints lt int(word(types, i)) title name(i)

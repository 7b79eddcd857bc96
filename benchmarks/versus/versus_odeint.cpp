// The same run as the shortest idiomatic Odeint + Eigen program would do it.
// versus_odeint START REFERENCE beta t repeats: one line a tolerance, as versus_attndyn prints it.
#include <Eigen/Dense>
#include <boost/numeric/odeint.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using State = std::vector<double>;
using Tokens = Eigen::Map<const Eigen::MatrixXd>;

static State read(const char* path, int& d) {
  State out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    d = 0;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ','); ++d) out.push_back(std::stod(cell));
  }
  return out;
}

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  int d = 0;
  const State start = read(argv[1], d), exact = read(argv[2], d);
  const int n = static_cast<int>(start.size()) / d;
  const double beta = std::atof(argv[3]), t_end = std::atof(argv[4]);

  const auto field = [&](const State& x, State& dxdt, double) {
    Tokens theta(x.data(), d, n);
    Eigen::MatrixXd w = (beta * (theta.transpose() * theta)).array().exp(); // w(k, j), symmetric here
    w.array().rowwise() /= w.colwise().sum().array().eval();
    const Eigen::MatrixXd a = theta * w;
    const Eigen::RowVectorXd along = (theta.array() * a.array()).colwise().sum();
    Eigen::Map<Eigen::MatrixXd>(dxdt.data(), d, n) = a - theta * along.asDiagonal();
  };

  for (double exponent = 4; exponent <= 12; exponent += 0.5) {
    const double tolerance = std::pow(10, -exponent);
    double best = 1e300, error = 0;
    for (int k = 0; k < std::atoi(argv[5]); ++k) {
      const auto begin = std::chrono::steady_clock::now();
      State x = start;
      using namespace boost::numeric::odeint;
      integrate_adaptive(make_controlled(tolerance, tolerance, runge_kutta_dopri5<State>()), field, x, 0.0,
                         t_end, 0.01);
      best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      error = 0;
      for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, std::abs(x[i] - exact[i]));
    }
    std::printf("odeint %.2e %.6e %.3e\n", tolerance, best, error);
    if (error < 1e-9) break;
  }
}

#include "verification/decide_all.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

namespace attndyn::verification {

std::vector<Outcome> decide_all(const std::vector<const Claim*>& claims, const Context& context,
                                unsigned jobs,
                                const std::function<void(const Outcome&, std::size_t decided)>& done) {
  std::vector<std::optional<Outcome>> found(claims.size());
  std::atomic<std::size_t> next = 0;
  std::size_t decided = 0;
  std::exception_ptr problem;
  std::mutex guard;
  const auto work = [&] {
    for (std::size_t i = next++; i < claims.size(); i = next++) {
      try {
        found[i] = decide(*claims[i], context);
        const std::lock_guard lock(guard);
        done(*found[i], ++decided);
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!problem) problem = std::current_exception();
        next = claims.size();
      }
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t threads = std::min<std::size_t>(std::max(jobs, 1u), claims.size());
    for (std::size_t k = 1; k < threads; ++k) others.emplace_back(work);
    work();
  }
  if (problem) std::rethrow_exception(problem);
  std::vector<Outcome> out;
  for (auto& o : found) out.push_back(std::move(*o));
  return out;
}

} // namespace attndyn::verification

// The threads of the process, which share the turns of a loop.
#pragma once
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace covey {

// Processor time that this thread has spent in loops that threads share, in nanoseconds: what is left of all
// its time is what more threads would not shorten.
class SharedTime {
 public:
  SharedTime() : began_(now()) {}
  ~SharedTime() { total() += now() - began_; }
  SharedTime(const SharedTime&) = delete;

  static std::int64_t& total() {
    static thread_local std::int64_t nanoseconds = 0;
    return nanoseconds;
  }

 private:
  static std::int64_t now() {
    timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
  }
  const std::int64_t began_;
};

class Pool {
 public:
  // As many threads as were asked for, or as the system gives.
  explicit Pool(int threads) : threads_(threads < 1 ? 1 : threads) {
    workers_.reserve(threads_ - 1);
    for (int t = 1; t < threads_; t++) {
      try {
        workers_.emplace_back([this, t] { work(t); });
      } catch (const std::system_error&) {
        threads_ = t;
      }
    }
  }
  ~Pool() {
    stop_ = true;
    ticket_.fetch_add(1);
    ticket_.notify_all();
    for (auto& worker : workers_) worker.join();
  }
  Pool(const Pool&) = delete;

  int size() const { return threads_; }

  // turn(i, thread) for i from 0 to n, `grain` at a time, in any order. What a turn throws is thrown
  // here once all have ended. Results may not depend on which thread takes which turn.
  template <class Turn>
  void each(std::int64_t n, std::int64_t grain, Turn&& turn) {
    if (n <= grain) {
      for (std::int64_t i = 0; i < n; i++) turn(i, 0);
      return;
    }
    const SharedTime counted;
    if (threads_ == 1) {
      for (std::int64_t i = 0; i < n; i++) turn(i, 0);
      return;
    }
    next_ = 0;
    failure_ = nullptr;
    job_ = [&, n, grain](int thread) {
      for (;;) {
        const std::int64_t begin = next_.fetch_add(grain);
        if (begin >= n) return;
        try {
          for (std::int64_t i = begin; i < begin + grain && i < n; i++) turn(i, thread);
        } catch (...) {
          next_ = n;
          std::lock_guard hold(failing_);
          if (!failure_) failure_ = std::current_exception();
        }
      }
    };
    busy_ = threads_ - 1;
    ticket_.fetch_add(1);
    ticket_.notify_all();
    job_(0);
    for (int spin = 0; spin < SPINS && busy_.load() != 0; spin++) pause();
    for (int left = busy_.load(); left != 0; left = busy_.load()) busy_.wait(left);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // Loops follow each other closely; a thread that sleeps takes longer to wake than they last.
  static constexpr int SPINS = 2000;

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  void work(int thread) {
    unsigned seen = 0;
    for (;;) {
      for (int spin = 0; spin < SPINS && ticket_.load() == seen; spin++) pause();
      ticket_.wait(seen);
      if (stop_) return;
      seen++;
      job_(thread);
      if (busy_.fetch_sub(1) == 1) busy_.notify_one();
    }
  }

  int threads_;
  std::vector<std::thread> workers_;
  std::function<void(int)> job_;
  std::exception_ptr failure_;
  std::mutex failing_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<int> busy_{0};
  std::atomic<unsigned> ticket_{0};
  std::atomic<bool> stop_{false};
};

// The pool for one piece of work: that of the process, or, while others use it, a single thread.
// A child of a fork has none of its parent's threads, so it makes a pool of its own.
class Threads {
 public:
  explicit Threads(int wanted) : held_(shared().busy, std::defer_lock), alone_(1) {
    Shared& all = shared();
    wanted = std::min(wanted, MOST);
    if (wanted <= 1 || !held_.try_lock()) return;
    if (all.owner != getpid() || !all.pool || all.pool->size() != wanted) {
      if (all.owner != getpid()) (void)all.pool.release();  // its threads stayed with the parent
      all.pool = std::make_unique<Pool>(wanted);
      all.owner = getpid();
    }
    pool_ = all.pool.get();
  }
  Pool& pool() { return pool_ ? *pool_ : alone_; }

 private:
  static constexpr int MOST = 256;  // threads; more would only take memory

  struct Shared {
    std::mutex busy;
    std::unique_ptr<Pool> pool;
    pid_t owner = 0;
  };
  // Never destroyed: at exit its threads may be gone already.
  static Shared& shared() {
    static Shared* all = new Shared;
    return *all;
  }

  std::unique_lock<std::mutex> held_;
  Pool alone_;
  Pool* pool_ = nullptr;
};

}  // namespace covey

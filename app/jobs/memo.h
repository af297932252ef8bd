// A derived value, worked out once for each key and kept: beside the frame, or at once for a file.
//
//   Memos memos(runner);                                 // or Memos memos(budget, progress): at once
//   memos.begin_frame();
//   const Kept<Timeline> kept = memos.get<Timeline>(trace, [trace](Budget& budget, auto*) { return ...; });
//   kept.value ? ... : kept.busy ? ... kept.progress : ... kept.failure
//   memos.end_frame();                                   // what this frame did not ask for is worked on no
//   more
#pragma once

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <typeindex>
#include <utility>

#include "app/jobs/job.h"

namespace warplens::jobs {

template <typename Value>
struct Kept {
  std::shared_ptr<const Value> value;  // of the key; null: not there
  std::shared_ptr<const Value>
      before;         // the last one that was there, of whatever key; the same where there is one
  bool busy = false;  // it is being worked out
  double progress = 0;
  Message failure{};  // why it never comes
};

// The newest values by their keys.
template <typename Key, typename Value>
class Newest {
 public:
  explicit Newest(std::size_t most) : most_(most) {}
  std::shared_ptr<const Value> find(const Key& key) const {
    const auto found =
        std::find_if(all_.rbegin(), all_.rend(), [&](const auto& one) { return one.first == key; });
    return found == all_.rend() ? nullptr : found->second;
  }
  void add(Key key, std::shared_ptr<const Value> value) {
    while (!all_.empty() && all_.size() >= most_) all_.pop_front();
    all_.emplace_back(std::move(key), std::move(value));
  }
  void keep(std::size_t most) { most_ = most; }  // from the next one on
  template <typename Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    if (auto known = find(key)) return known;
    add(key, make());
    return all_.back().second;
  }

 private:
  std::size_t most_;
  std::deque<std::pair<Key, std::shared_ptr<const Value>>> all_;
};

struct MemoOptions {
  std::size_t most = 8;  // values kept
  bool begins = true;    // false: nothing is begun, and what is under way ends
  bool waits = true;     // in the frame that begins it
};

class Memos {
 public:
  template <typename Value>
  using Compute = std::function<std::shared_ptr<const Value>(Budget& budget, std::atomic<double>* progress)>;

  explicit Memos(Runner& runner) : runner_(&runner) {}
  // Every value is worked out where it is asked for. Throws Stopped where the budget ends.
  Memos(Budget& budget, std::atomic<double>* progress) : budget_(&budget), progress_(progress) {}

  void begin_frame() {
    for (auto& [type, memo] : memos_) memo->asked = false;
  }
  void end_frame() {
    for (auto& [type, memo] : memos_)
      if (!memo->asked) memo->rest();
  }

  // Keys are compared by ==. One kind of value has one kind of key.
  template <typename Value, typename Key>
  Kept<Value> get(const Key& key, Compute<Value> compute, MemoOptions options = {}) {
    if (budget_ != nullptr) {
      auto value = compute(*budget_, progress_);
      return {value, value};
    }
    std::unique_ptr<Any>& memo = memos_[typeid(Memo<Key, Value>)];
    if (!memo) memo = std::make_unique<Memo<Key, Value>>(*runner_, options.most);
    memo->asked = true;
    static_cast<Memo<Key, Value>&>(*memo).known.keep(options.most);
    return static_cast<Memo<Key, Value>&>(*memo).get(key, std::move(compute), options);
  }

  // Worked out within the frame; the last ones are kept, so that the same pointer says that nothing changed.
  template <typename Value, typename Key, typename Make>
  std::shared_ptr<const Value> now(const Key& key, const Make& make, std::size_t most = 1) {
    std::shared_ptr<void>& kept = now_[typeid(Newest<Key, Value>)];
    if (!kept) kept = std::make_shared<Newest<Key, Value>>(most);
    return static_cast<Newest<Key, Value>*>(kept.get())->get(key, [&] {
      return std::make_shared<const Value>(make());
    });
  }

 private:
  struct Any {
    virtual ~Any() = default;
    virtual void rest() = 0;
    bool asked = false;
  };

  template <typename Key, typename Value>
  struct Memo : Any {
    using Made = std::pair<Key, std::shared_ptr<const Value>>;
    Memo(Runner& runner, std::size_t most) : known(most), job(runner) {}

    Kept<Value> get(const Key& key, Compute<Value> compute, MemoOptions how) {
      collect();
      auto value = known.find(key);
      if (value ? under_way.has_value() : !how.begins) {
        job.cancel();  // the one before stays
        under_way.reset();
      } else if (!value && !(under_way && *under_way == key)) {
        under_way = key;
        job.start([key, compute = std::move(compute)](const std::atomic<bool>* cancel,
                                                      std::atomic<double>* progress) {
          Budget budget({.cancel = cancel});
          return Made{key, compute(budget, progress)};
        });
        if (how.waits) collect();
        value = known.find(key);
      }
      if (value) return {value, before = value};
      return {nullptr, before, how.begins && job.failure().empty(), job.progress(), job.failure()};
    }
    void collect() {
      auto made = job.take();
      if (!made) return;
      known.add(std::move(made->first), std::move(made->second));
      under_way.reset();
    }
    // What is known stays.
    void rest() override {
      job.cancel();
      under_way.reset();
      before = nullptr;
    }

    Newest<Key, Value> known;
    std::shared_ptr<const Value> before;
    std::optional<Key> under_way;
    Job<Made> job;
  };

  Runner* runner_ = nullptr;
  Budget* budget_ = nullptr;
  std::atomic<double>* progress_ = nullptr;
  std::map<std::type_index, std::unique_ptr<Any>> memos_;
  std::map<std::type_index, std::shared_ptr<void>> now_;
};

}  // namespace warplens::jobs

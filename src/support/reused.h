// A list that keeps removed entries for reuse, so that refilling it does not allocate.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace scfe {

template <class T>
class Reused {
 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return entries_.data(); }
  T* end() { return entries_.data() + size_; }
  const T* begin() const { return entries_.data(); }
  const T* end() const { return entries_.data() + size_; }
  T& operator[](std::size_t i) { return entries_[i]; }
  const T& operator[](std::size_t i) const { return entries_[i]; }
  T& back() { return entries_[size_ - 1]; }

  // Appends an entry, which still holds the data of an earlier one.
  T& add() {
    if (size_ == entries_.size()) entries_.emplace_back();
    return entries_[size_++];
  }
  void cut_to(std::size_t size) { size_ = std::min(size_, size); }
  void clear() { size_ = 0; }

 private:
  std::vector<T> entries_;
  std::size_t size_ = 0;
};

}  // namespace scfe

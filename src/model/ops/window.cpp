#include "model/ops/window.h"

#include <algorithm>

namespace scfe::onnx::inline SCFE_PRECISION {
namespace {

// A list attribute with `count` entries; `otherwise` is the default and the smallest value of an entry.
std::vector<std::int64_t> per_axis(const Site& site, std::string_view name, std::size_t count,
                                   std::int64_t otherwise) {
  std::vector<std::int64_t> values = site.integers(name);
  if (values.empty()) values.assign(count, otherwise);
  if (values.size() != count)
    site.fail(std::to_string(count) + " " + std::string(name), std::to_string(values.size()));
  for (const std::int64_t value : values)
    if (value < otherwise || value > static_cast<std::int64_t>(max_computed))
      site.fail(
          std::string(name) + " from " + std::to_string(otherwise) + " to " + std::to_string(max_computed),
          std::to_string(value));
  return values;
}

}  // namespace

Window read_window(const Site& site, const Shape& in, const Shape& kernel) {
  const std::size_t axes = in.size();
  if (axes == 0 || kernel.size() != axes)
    site.fail("a kernel over " + std::to_string(axes) + " axes", to_text(kernel));
  Window w{in, Shape(axes), kernel, {}, {}, {}, {}};
  w.stride = per_axis(site, "strides", axes, 1);
  w.dilation = per_axis(site, "dilations", axes, 1);
  const std::vector<std::int64_t> pads = per_axis(site, "pads", 2 * axes, 0);
  w.before.assign(pads.begin(), pads.begin() + static_cast<std::ptrdiff_t>(axes));
  w.after.assign(pads.begin() + static_cast<std::ptrdiff_t>(axes), pads.end());
  const std::string automatic = site.text("auto_pad", "NOTSET");
  const bool ceil = site.integer("ceil_mode", 0) != 0;
  for (std::size_t i = 0; i < axes; ++i) {
    if (kernel[i] < 1 || kernel[i] > static_cast<std::int64_t>(max_computed))
      site.fail("a kernel from 1 to " + std::to_string(max_computed), to_text(kernel));
    const std::int64_t reach = (kernel[i] - 1) * w.dilation[i] + 1;
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      w.out[i] = (in[i] + w.stride[i] - 1) / w.stride[i];
      const std::int64_t total = std::max<std::int64_t>(0, (w.out[i] - 1) * w.stride[i] + reach - in[i]);
      w.before[i] = automatic == "SAME_UPPER" ? total / 2 : total - total / 2;
      w.after[i] = total - w.before[i];
      continue;
    }
    if (automatic == "VALID") w.before[i] = w.after[i] = 0;
    const std::int64_t room = in[i] + w.before[i] + w.after[i] - reach;
    const std::int64_t reached = room + (ceil ? w.stride[i] - 1 : 0);
    if (reached < 0) site.fail("a kernel within the padded input", to_text(kernel) + " over " + to_text(in));
    w.out[i] = reached / w.stride[i] + 1;
    // A window that starts in the padding after the input is dropped.
    if (ceil && (w.out[i] - 1) * w.stride[i] >= in[i] + w.before[i]) --w.out[i];
  }
  elements({static_cast<std::int64_t>(elements(w.out)), static_cast<std::int64_t>(w.taps())});
  return w;
}

std::vector<std::int32_t> Window::table() const {
  const Index strides = strides_of(in);
  std::vector<std::int32_t> result;
  for_each_index(out, [&](const Index& pixel) {
    for_each_index(kernel, [&](const Index& tap) {
      std::size_t flat = 0;
      bool inside = true;
      for (std::size_t i = 0; i < in.size(); ++i) {
        const std::int64_t at = static_cast<std::int64_t>(pixel[i]) * stride[i] +
                                static_cast<std::int64_t>(tap[i]) * dilation[i] - before[i];
        if (at < 0 || at >= in[i])
          inside = false;
        else
          flat += static_cast<std::size_t>(at) * strides[i];
      }
      result.push_back(inside ? static_cast<std::int32_t>(flat) : -1);
    });
  });
  return result;
}

}  // namespace scfe::onnx::inline SCFE_PRECISION

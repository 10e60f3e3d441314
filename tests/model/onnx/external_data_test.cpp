// A model with external data equals the one with its data inside, also after its folder was deleted.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "model/onnx/embed.h"
#include "scfe/bundle.h"
#include "scfe/error.h"
#include "scfe/onnx.h"
#include "tests/data/scratch.h"
#include "tests/model/expect_error.h"
#include "tests/model/onnx/proto.h"
#include "tests/model/onnx/run_model.h"

namespace scfe {
namespace {

using test::Proto;

std::string raw(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Proto tensor(const std::string& name) { return Proto().number(1, 2).number(1, 2).number(2, 1).text(8, name); }

Proto entry(const std::string& key, const std::string& value) { return Proto().text(1, key).text(2, value); }

Proto outside(const std::string& name, const std::vector<std::pair<std::string, std::string>>& entries) {
  Proto result = tensor(name);
  for (const auto& [key, value] : entries) result.message(13, entry(key, value));
  return result.number(14, 1);
}

// x -> (x·w)·v, where w is an initialiser and v a Constant node.
std::string model(const Proto& w, const Proto& v) {
  const Proto constant =
      test::node("Constant", {}, {"v"}).message(5, Proto().text(1, "value").message(5, v).number(20, 4));
  const auto file = test::model(Proto()
                                    .message(1, constant)
                                    .message(1, test::node("MatMul", {"x", "w"}, {"h"}))
                                    .message(1, test::node("MatMul", {"h", "v"}, {"y"}))
                                    .message(5, w)
                                    .message(11, test::port("x", {-1, 2}))
                                    .message(12, test::port("y", {-1, 2})));
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

class ExternalData : public ::testing::Test {
 protected:
  ExternalData() {
    std::filesystem::create_directories(scratch.path("deeper"));
    scratch.write("m.data", raw({9, 1, -2, 3, 4}));
    scratch.write("deeper/v.data", raw({0.5F, 2, -1, 1}));
  }

  test::Scratch scratch;
  Proto w = outside("w", {{"location", "m.data"}, {"offset", "4"}, {"length", "16"}});
  Proto v = outside("v", {{"location", "deeper/v.data"}});
};

TEST_F(ExternalData, is_as_if_it_were_inside) {
  const std::string inside =
      model(tensor("w").text(9, raw({1, -2, 3, 4})), tensor("v").text(9, raw({0.5F, 2, -1, 1})));
  const ModelFile file = read_model_file(scratch.write("m.onnx", model(w, v)));
  const auto expected = read_onnx(std::as_bytes(std::span(inside)));
  const auto by_path = read_onnx(file.source);
  std::filesystem::remove_all(scratch.path(""));
  const auto by_file = open_model(file);
  for (const auto& point : {std::vector<float>{1, 0}, {0, 1}, {-3, 2}}) {
    const auto scores = test::run_model(*expected, {point}).scores;
    EXPECT_EQ(test::run_model(*by_path, {point}).scores, scores);
    EXPECT_EQ(test::run_model(*by_file, {point}).scores, scores);
  }
  EXPECT_EQ(onnx::embed_external_data(inside, scratch.path("")), inside);
}

TEST_F(ExternalData, that_is_not_there_is_an_error) {
  const std::vector<std::vector<std::pair<std::string, std::string>>> wrong = {
      {},
      {{"location", ""}},
      {{"location", "/etc/passwd"}},
      {{"location", "../m.data"}},
      {{"location", "deeper/../../m.data"}},
      {{"location", "none.data"}},
      {{"location", "deeper"}},
      {{"location", "m.data"}, {"offset", "21"}},
      {{"location", "m.data"}, {"length", "21"}},
      {{"location", "m.data"}, {"offset", "8"}, {"length", "16"}},
      {{"location", "m.data"}, {"offset", "-4"}},
      {{"location", "m.data"}, {"length", "99999999999999999999"}},
      {{"location", "m.data"}, {"length", "8"}},
  };
  for (const auto& entries : wrong) {
    const std::string path = scratch.write("m.onnx", model(outside("w", entries), v));
    EXPECT_THROW((void)open_model(read_model_file(path)), Error);
    EXPECT_THROW((void)read_onnx(path), Error);
  }
  const std::string bytes = model(w, v);
  EXPECT_THROW((void)read_onnx(std::as_bytes(std::span(bytes))), Error);
}

// A link would let a model have any file of the machine read into it.
TEST_F(ExternalData, is_never_read_through_a_link) {
  namespace fs = std::filesystem;
  const test::Scratch elsewhere;
  const std::string secret = elsewhere.write("secret", raw({1, 2, 3, 4}));
  fs::create_symlink(secret, scratch.path("link.data"));
  fs::create_directory_symlink(fs::path(secret).parent_path(), scratch.path("linked"));
  fs::create_symlink("m.data", scratch.path("inside.data"));
  for (const std::string location : {"link.data", "linked/secret", "deeper/../link.data", "inside.data"}) {
    const std::string path = scratch.write("m.onnx", model(outside("w", {{"location", location}}), v));
    test::expect_error([&] { (void)read_model_file(path); }, {location});
  }
  // The model itself may be a link: whoever names it knows what it is.
  fs::create_symlink(scratch.write("m.onnx", model(w, v)), scratch.path("model_link.onnx"));
  EXPECT_NO_THROW((void)read_model_file(scratch.path("model_link.onnx")));
}

// Nothing is read, and nothing allocated, before the length was compared with the shape.
TEST_F(ExternalData, of_another_length_than_its_shape_is_not_read) {
  std::filesystem::resize_file(scratch.path("m.data"), std::uintmax_t{1} << 36);  // a file with holes
  for (const char* length : {"68719476736", "15", "17"})
    test::expect_error(
        [&] {
          (void)read_model_file(
              scratch.write("m.onnx", model(outside("w", {{"location", "m.data"}, {"length", length}}), v)));
        },
        {"16 bytes, as its shape says"});
}

}  // namespace
}  // namespace scfe

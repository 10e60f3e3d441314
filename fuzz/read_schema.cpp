// libFuzzer target: schemas. A schema that was read and is written has to be read again to the same text.
#include "fuzz/fuzz.h"
#include "scfe/encoder.h"
#include "scfe/schema.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  scfe::fuzz::expect_result_or_error([&] {
    const scfe::Schema schema = scfe::parse_schema(std::string(scfe::fuzz::text_of(data, size)), "schema");
    (void)scfe::Encoder(schema).features();
    text = scfe::schema_text(schema);
  });
  // Outside of the guard: what was written by the program itself is never an error.
  if (!text.empty() && scfe::schema_text(scfe::parse_schema(text, "schema")) != text) std::abort();
  return 0;
}

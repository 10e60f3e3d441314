// The functions of all kernel sources, compiled for one instruction set; table.cpp collects them.
#pragma once

#include "kernel/isa/vector.h"

namespace scfe::kernel::SCFE_ISA {

void dense(size_t out, size_t in, const float* weight, const float* bias, Const x, Mutable y, size_t lanes);
void linear(const Linear& map, Const x, Mutable y, size_t lanes);
void mixture(const Mixture& mixture, Const x, float* value, Mutable gradient, Mutable responsibilities,
             float* scratch, size_t lanes);
void activate(int kind, float parameter, const float* x, float* y, size_t count);
void activate_gradient(int kind, float parameter, const float* x, const float* dy, float* dx, size_t count);
void largest(const Largest& task, Const v, Mutable w, size_t lanes);
bool descend(const Descent& step, Mutable to, size_t lanes);
bool descend_to_largest(const Descent& step, const Largest& task, Mutable w, size_t lanes);
void displace(size_t rows, Const from, Const w, Mutable u, const Affine& inputs, size_t lanes);
void slope(const Slope& terms, Const w, Mutable gradient, size_t lanes);
void affine(size_t rows, const float* offset, const float* scale, Const x, Mutable y, size_t lanes);
void squares(size_t rows, const float* weight, Const w, float* value, size_t lanes);
void attract(size_t rows, const float* weight, Const x, Const to, float* value, Mutable gradient,
             size_t lanes);
void extrapolate(const Extrapolation& step, Const next, Mutable w, Mutable z, size_t lanes);
void sweep(const Sweep& sweep, const ImageBatch& batch);
void pooled_sweep(const Sweep& sweep, const float* x, float* y, uint8_t* code);
void gather(const Gather& gather, float* y);
void gather_patches(const Patches& patches, const float* dy, const uint8_t* code, float* dx);
void transpose(size_t rows, size_t columns, Const from, Mutable to);
void max_pool(const MaxPool& pool, const float* x, float* y, uint8_t* code);
void winograd_in(const WinogradTiles& tiles, const float* x, float* v);
void winograd_multiply(const WinogradProducts& products, const float* v, float* m);
void winograd_out(const WinogradTiles& tiles, const float* m, const WinogradEnd& end, float* y);
void packed_exponents(const Packed& packed, const float* x, float* e);
void packed_sum(const Packed& packed, const float* x, const float* e, PackedSum& sum);
void coarse_table(size_t features, const float* levels, const float* x, Distance distance, float reach,
                  uint8_t* table);
void coarse_near(const Coarse& rows, const uint8_t* const* tables, size_t points, uint32_t* near);
void listed_sum(const ListedRows& rows, const Listed* list, size_t count, const float* x, ListedSum& sum,
                float* scratch);
void listed_distances(const PlainRows& rows, const uint32_t* list, size_t count, const float* x,
                      float* distances);

}  // namespace scfe::kernel::SCFE_ISA

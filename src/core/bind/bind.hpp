// What the files of the binding share: one function per subject, and numbers and strings from and to Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "match/overlap.hpp"
#include "text/tokens.hpp"

namespace assay::bind {

namespace nb = nanobind;

void bind_text(nb::module_& m);
void bind_read(nb::module_& m);
void bind_sums(nb::module_& m);
void bind_match(nb::module_& m);
void bind_metrics(nb::module_& m);
void bind_align(nb::module_& m);
void bind_lm(nb::module_& m);
void bind_parse(nb::module_& m);
void bind_search(nb::module_& m);
void bind_compound(nb::module_& m);
void bind_encode(nb::module_& m);

using Doubles = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using Ints = nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// The array owns the vector's memory: nothing is copied.
inline Doubles array(std::vector<double>&& values) {
    auto* held = new std::vector<double>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Doubles(held->data(), {held->size()}, owner);
}

// One row per output.
using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
inline Rows rows(std::vector<double>&& values, std::size_t width) {
    auto* held = new std::vector<double>(std::move(values));
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Rows(held->data(), {held->size() / width, width}, owner);
}

// Read-only, alive as long as what it looks into (nanobind's default for properties).
inline nb::ndarray<nb::numpy, const double, nb::ndim<1>> view(const std::vector<double>& values) {
    return nb::ndarray<nb::numpy, const double, nb::ndim<1>>(values.data(), {values.size()});
}

// Whole numbers as numpy's own, copied.
template <class T>
nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>> integers(const std::vector<T>& values) {
    auto* held = new std::vector<std::int64_t>(values.begin(), values.end());
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
    return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(held->data(), {held->size()}, owner);
}

// Any numbers as numpy's own, copied; and back.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_array(const std::vector<T>& values) {
    auto* held = new std::vector<T>(values);
    nb::capsule owner(held, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return nb::ndarray<nb::numpy, T, nb::ndim<1>>(held->data(), {held->size()}, owner);
}

template <class T>
using Numbers = nb::ndarray<nb::numpy, const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::vector<T> to_vector(const Numbers<T>& a) {
    return std::vector<T>(a.data(), a.data() + a.shape(0));
}

using Words = nb::typed<nb::list, nb::str>;

// The texts from `start` to before `stop`, where Python has put them.
inline std::vector<std::string_view> views(const Words& texts, std::size_t start, std::size_t stop) {
    // Strings lie scattered in memory; asking for some ahead of their turn hides most of the wait.
    constexpr std::size_t kAhead = 12;
    std::vector<PyObject*> objects(stop - start);
    for (std::size_t i = start; i < stop; ++i)
        objects[i - start] = PyList_GetItem(texts.ptr(), static_cast<Py_ssize_t>(i));
    std::vector<std::string_view> out(objects.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (i + kAhead < out.size()) __builtin_prefetch(objects[i + kAhead]);
        Py_ssize_t size = 0;
        const char* data = PyUnicode_AsUTF8AndSize(objects[i], &size);
        if (!data) throw nb::python_error();
        out[i] = {data, static_cast<std::size_t>(size)};
    }
    return out;
}

inline std::vector<std::string_view> views(const Words& texts) { return views(texts, 0, nb::len(nb::handle(texts))); }

inline std::vector<std::size_t> offsets(const Ints& a) {
    std::vector<std::size_t> out(a.shape(0));
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (a(i) < 0 || (i > 0 && a(i) < a(i - 1))) throw std::invalid_argument("offsets must not decrease");
        out[i] = static_cast<std::size_t>(a(i));
    }
    if (out.empty() || out[0] != 0) throw std::invalid_argument("offsets must start with 0");
    return out;
}

inline void check(const Tokens& outputs, const Tokens& references, const Layout& layout) {
    if (outputs.size() != layout.outputs.back() || references.size() != layout.references.back()) {
        throw std::invalid_argument("texts and layout do not fit");
    }
}

}  // namespace assay::bind

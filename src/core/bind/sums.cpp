// Sums: of floats, without rounding.
#include "bind/bind.hpp"

#include <stdexcept>

#include "sums/exact_sums.hpp"

namespace assay::bind {

using namespace nb::literals;

void bind_sums(nb::module_& m) {
    nb::class_<ExactSums>(m, "ExactSums", "A sum in each of some cells, kept as a whole number of 2**-1074.")
        .def(nb::init<>())
        .def("__len__", [](const ExactSums& s) { return s.sums.size(); })
        .def(
            "grow",
            [](ExactSums& s, std::size_t cells) {
                constexpr std::size_t kMostCells = std::size_t{1} << 24;  // 10 GB; one is a system's sum of one metric
                if (cells > kMostCells) throw std::invalid_argument("more than 2**24 cells");
                s.grow(cells);
            },
            "cells"_a)
        .def(
            "add",
            [](ExactSums& s, const Ints& cells, const Numbers<double>& values) {
                if (cells.shape(0) != values.shape(0)) throw std::invalid_argument("one cell per value");
                for (std::size_t i = 0; i < cells.shape(0); ++i) {
                    if (cells(i) < 0 || static_cast<std::size_t>(cells(i)) >= s.sums.size())
                        throw std::invalid_argument("no such cell");
                }
                s.add(cells.data(), values.data(), cells.shape(0));
            },
            "cells"_a, "values"_a, "Adds each value to its cell.")
        .def(
            "add_whole",
            [](ExactSums& s, std::size_t cell, const nb::bytes& digits, bool negative) {
                if (cell >= s.sums.size()) throw std::invalid_argument("no such cell");
                s.sums[cell].add(reinterpret_cast<const std::uint8_t*>(digits.c_str()), digits.size(), negative);
            },
            "cell"_a, "digits"_a, "negative"_a, "Adds a whole number, lowest byte first.")
        .def(
            "add_infinite",
            [](ExactSums& s, std::size_t cell, double value) {
                if (cell >= s.sums.size()) throw std::invalid_argument("no such cell");
                s.infinite[cell] += value;
            },
            "cell"_a, "value"_a)
        .def(
            "whole",
            [](const ExactSums& s, std::size_t cell) {
                if (cell >= s.sums.size()) throw std::invalid_argument("no such cell");
                const std::vector<std::uint8_t> digits = s.sums[cell].bytes();
                return nb::bytes(reinterpret_cast<const char*>(digits.data()), digits.size());
            },
            "cell"_a, "The sum of a cell in two's complement, lowest byte first.")
        .def(
            "infinite",
            [](const ExactSums& s, std::size_t cell) {
                if (cell >= s.sums.size()) throw std::invalid_argument("no such cell");
                return s.infinite[cell];
            },
            "cell"_a, "The sum of what is not finite in a cell; 0 where there is nothing of that kind.");
}

}  // namespace assay::bind

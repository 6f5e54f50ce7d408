// Reading: columns of texts that are scored where they lie, and the lines and tables they come from.
#include "bind/bind.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <optional>
#include <string>
#include <tuple>

#include "read/json_items.hpp"
#include "text/seen.hpp"

namespace assay::bind {

using namespace nb::literals;

namespace {

// Keeps a Python object alive for texts that lie in it; the last of them may go in a thread without the interpreter's
// lock.
std::shared_ptr<const void> keep(const nb::object& object) {
    PyObject* held = object.ptr();
    Py_INCREF(held);
    return std::shared_ptr<const void>(held, [held](const void*) {
        const nb::gil_scoped_acquire acquire;
        Py_DECREF(held);
    });
}

nb::str text_at(const TextColumn& column, std::size_t i) {
    return nb::str(column.texts[i].data(), column.texts[i].size());
}

std::pair<std::size_t, std::size_t> bounds(const TextColumn& column, const nb::slice& slice) {
    const auto [start, stop, step, length] = slice.compute(column.size());
    if (step != 1) throw std::invalid_argument("a column is cut without steps");
    return {static_cast<std::size_t>(start), static_cast<std::size_t>(start) + length};
}

Words to_list(const TextColumn& column) {
    Words out;
    for (std::size_t i = 0; i < column.size(); ++i) out.append(text_at(column, i));
    return out;
}

// The column with other texts at some places.
TextColumn replaced(const TextColumn& column, const std::vector<std::size_t>& at, const Words& texts) {
    const auto strings = views(texts);
    if (strings.size() != at.size()) throw std::invalid_argument("one text per place");
    auto arena = std::make_shared<std::deque<std::string>>();
    TextColumn out = column;
    for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k] >= column.size()) throw nb::index_error("no such text");
        out.texts[at[k]] = arena->emplace_back(strings[k]);
    }
    out.owners.push_back(arena);
    return out;
}

// A column as Arrow lays it out: bytes, and where each text begins. Nothing comes back if a text is not UTF-8.
template <class Offset>
std::optional<TextColumn> arrow_column(const nb::object& array, const Numbers<Offset>& starts,
                                       const Numbers<std::uint8_t>& bytes) {
    if (starts.shape(0) == 0) throw std::invalid_argument("offsets must not be empty");
    TextColumn out;
    out.owners = {keep(array)};
    const char* const data = reinterpret_cast<const char*>(bytes.data());
    const std::size_t n = starts.shape(0) - 1, size = bytes.shape(0);
    out.texts.resize(n);
    const nb::gil_scoped_release release;
    for (std::size_t i = 0; i < n; ++i) {
        const Offset from = starts(i), to = starts(i + 1);
        if (from < 0 || to < from || static_cast<std::size_t>(to) > size)
            throw std::invalid_argument("offsets must not decrease");
        out.texts[i] = {data + from, static_cast<std::size_t>(to - from)};
        if (!is_ascii(out.texts[i]) && !is_utf8(out.texts[i])) return std::nullopt;
    }
    return out;
}

// How often each run of equal texts repeats them.
std::vector<std::size_t> run_lengths(const TextColumn& column) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < column.size(); ++i) {
        if (i && column.texts[i] == column.texts[i - 1]) ++out.back();
        else out.push_back(1);
    }
    return out;
}

// One list of texts for every `width` of them: the first that is there, if the others that are there are the same.
std::optional<std::pair<TextColumn, std::vector<std::size_t>>> common_lists(const TextColumn& texts, const Ints& ends,
                                                                            const Numbers<std::uint8_t>& present,
                                                                            std::size_t width) {
    const std::vector<std::size_t> at = offsets(ends);
    const std::size_t lists = at.size() - 1;
    if (at.back() != texts.size() || present.shape(0) != lists || !width || lists % width)
        throw std::invalid_argument("texts and lists do not fit");
    auto place = [&](std::size_t i) { return texts.texts.begin() + static_cast<std::ptrdiff_t>(i); };
    std::pair<TextColumn, std::vector<std::size_t>> out{{{}, texts.owners}, {0}};
    for (std::size_t item = 0; item < lists; item += width) {
        std::size_t first = item;
        while (first < item + width && !present(first)) ++first;
        if (first < item + width) {
            const auto begin = place(at[first]), end = place(at[first + 1]);
            for (std::size_t k = first + 1; k < item + width; ++k) {
                if (present(k) && !std::equal(begin, end, place(at[k]), place(at[k + 1]))) return std::nullopt;
            }
            out.first.texts.insert(out.first.texts.end(), begin, end);
        }
        out.second.push_back(out.first.size());
    }
    return out;
}

// Whether the texts repeat their first `period`.
bool repeats(const TextColumn& column, std::size_t period) {
    for (std::size_t i = period; i < column.size(); ++i) {
        if (column.texts[i] != column.texts[i - period]) return false;
    }
    return true;
}

}  // namespace

void bind_read(nb::module_& m) {
    nb::class_<TextColumn>(m, "TextColumn", "Texts where they lie in a file's bytes or a table; read-only.")
        .def("__len__", &TextColumn::size)
        .def(
            "__getitem__",
            [](const TextColumn& column, std::size_t i) {
                if (i >= column.size()) throw nb::index_error("no such text");
                return text_at(column, i);
            },
            "place"_a)
        .def(
            "__getitem__",
            [](const TextColumn& column, const nb::slice& slice) {
                const auto [start, stop] = bounds(column, slice);
                return column.slice(start, stop);
            },
            "places"_a)
        .def("__iter__",
             [](const TextColumn& column) { return nb::typed<nb::iterator, nb::str>(nb::iter(to_list(column))); })
        .def("tolist", &to_list, "The texts as strings.")
        .def("count_blank", &count_blank, nb::call_guard<nb::gil_scoped_release>(),
             "How many are empty or white space.")
        .def("not_ascii", &places_not_ascii, nb::call_guard<nb::gil_scoped_release>(),
             "The places of texts not all ASCII.")
        .def(
            "with_byte",
            [](const TextColumn& column, char one, char other) {
                const nb::gil_scoped_release release;
                return places_with(column, one, other);
            },
            "one"_a, "other"_a, "The places of the texts that hold one of two ASCII characters.")
        .def("replaced", &replaced, "places"_a, "texts"_a, "The column with other texts at these places.")
        .def("run_lengths", &run_lengths, "How often each run of equal texts repeats its text.")
        .def(
            "run_starts",
            [](const TextColumn& column) {
                TextColumn out{{}, column.owners};
                for (std::size_t i = 0; i < column.size(); ++i) {
                    if (!i || column.texts[i] != column.texts[i - 1]) out.texts.push_back(column.texts[i]);
                }
                return out;
            },
            "One text for each run of equal texts.")
        .def("repeats", &repeats, "period"_a, "Whether the texts repeat their first `period`.")
        .def(
            "add_to",
            [](const TextColumn& column, Seen& seen) {
                const nb::gil_scoped_release release;
                std::vector<std::size_t> repeated;
                for (std::size_t i = 0; i < column.size(); ++i) {
                    if (!seen.add(column.texts[i])) repeated.push_back(i);
                }
                return repeated;
            },
            "seen"_a, "Adds all to a set; returns the places of those that were there before.");

    m.def(
        "list_column",
        [](const Words& texts, std::size_t start, std::size_t stop) {
            if (stop > nb::len(nb::handle(texts)) || start > stop) throw nb::index_error("no such texts");
            return TextColumn{views(texts, start, stop), {keep(texts)}};
        },
        "texts"_a, "start"_a, "stop"_a, "Strings of a list, where they lie; the list must not be changed while it lives.");

    m.def("arrow_column", &arrow_column<std::int32_t>, "array"_a, "starts"_a, "bytes"_a);
    m.def("arrow_column", &arrow_column<std::int64_t>, "array"_a, "starts"_a, "bytes"_a,
          "The texts of an Arrow array, where they lie; None if one is not UTF-8.");

    m.def(
        "common_lists",
        [](const TextColumn& texts, const Ints& ends, const Numbers<std::uint8_t>& present, std::size_t width)
            -> std::optional<std::pair<TextColumn, nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>>> {
            auto common = common_lists(texts, ends, present, width);
            if (!common) return std::nullopt;
            return std::make_pair(std::move(common->first), integers(common->second));
        },
        "texts"_a, "ends"_a, "present"_a, "width"_a,
        "One list of texts for every `width` of them, and where each ends; None where they are not the same.");

    nb::class_<JsonItems>(m, "JsonItems", "Plain items from lines of JSON.")
        .def("__len__", [](const JsonItems& items) { return items.ids.size(); })
        .def_prop_ro("systems",
                     [](const JsonItems& items) {
                         Words out;
                         for (const std::string_view s : items.systems) out.append(nb::str(s.data(), s.size()));
                         return out;
                     })
        .def_ro("ids", &JsonItems::ids, nb::rv_policy::copy)
        .def_ro("clusters", &JsonItems::clusters, nb::rv_policy::copy)
        .def_ro("outputs", &JsonItems::outputs, nb::rv_policy::copy)
        .def_ro("references", &JsonItems::references, nb::rv_policy::copy)
        .def_prop_ro(
            "reference_ends", [](const JsonItems& items) { return integers(items.reference_ends); },
            nb::rv_policy::move)
        .def(
            "line",
            [](const JsonItems& items, std::size_t i) {
                if (i >= items.ids.size()) throw nb::index_error("no such item");
                const std::size_t stop = i + 1 < items.ids.size() ? items.line_starts[i + 1] : items.end;
                return std::make_tuple(items.numbers[i], items.line_starts[i], stop);
            },
            "item"_a, "The number of an item's line, from 0, and where it begins and the next one does.");

    m.def(
        "read_json_items",
        [](const nb::bytes& lines) {
            const std::string_view text(lines.c_str(), lines.size());
            std::optional<JsonItems> items;
            {
                const nb::gil_scoped_release release;
                items = read_json_items(text);
            }
            if (items) {
                for (TextColumn* column : {&items->ids, &items->outputs, &items->references, &items->clusters})
                    column->owners.push_back(keep(lines));
            }
            return items;
        },
        "lines"_a, "The items of whole lines of JSON, or None where a line is not a plain item.");

    m.def(
        "find_lines",
        [](const nb::bytes& data, std::size_t start, std::size_t most, std::size_t size) {
            const std::string_view text(data.c_str(), data.size());
            const nb::gil_scoped_release release;
            std::size_t lines = 0, end = start;
            while (lines < most && end < text.size() && end - start <= size) {
                const void* newline = std::memchr(text.data() + end, '\n', text.size() - end);
                if (!newline) break;
                end = static_cast<std::size_t>(static_cast<const char*>(newline) - text.data()) + 1;
                ++lines;
            }
            return std::make_tuple(lines, end);
        },
        "data"_a, "start"_a, "most"_a, "size"_a,
        "How many whole lines there are from `start` on, and where they end: up to `most`, or past `size` bytes.");
}

}  // namespace assay::bind

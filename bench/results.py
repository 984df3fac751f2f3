#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.
"""Turns what DeviceComparison printed into a table (Markdown) or a chart (SVG), and what
TierComparison and JMH (-bm sample -prof gc -rf json) printed into tables; chart takes JMH's too.

    bench/results.py table FILE.json ...   > table.md
    bench/results.py paired FILE.json ...  > table.md
    bench/results.py jmh FILE.json ...     > table.md
    bench/results.py tier FILE.json ... > table.md
    bench/results.py chart FILE.json ...   > chart.svg

Medians over the rounds; a ratio is the median of those within each round, with the least and the
greatest, to ASYNCFS or, without one, to stock over the same delegate or else to the first rival.
paired has ratios only, each to that rival in the same round: geometric mean (a mean of noisy ratios is
above 1 for two rivals alike) and twice its standard error.
Python 3, nothing else.
"""
import json
import sys
from math import exp, log
from statistics import mean, median, stdev
from xml.sax.saxutils import escape

COLOURS = {"ASYNCFS": "#9aa5b1", "FILESYSTEM": "#6b7a8c", "MULTIWAL": "#4a5562",
           "HYBRID_ASYNCFS": "#d9480f", "HYBRID_FILESYSTEM": "#e8590c", "HYBRID_MULTIWAL": "#f08c4a"}


# What a row of the SSD tier's table shows: heading, field, decimals.
TIER = [("ops/s", "opsPerSecond", 0), ("put p50 ms", "putP50Ms", 1), ("put p99 ms", "putP99Ms", 1),
           ("longest put ms", "putMaxMs", 0), ("get p99 ms", "getP99Ms", 1), ("flushes", "flushes", 0),
           ("flush p50 ms", "flushP50Ms", 0), ("flush p99 ms", "flushP99Ms", 0),
           ("too many files, share of time", "tooManyFilesShare", 2), ("RegionTooBusy", "regionTooBusy", 0),
           ("failed", "errors", 0), ("HDD bytes per byte", "hddBytesPerByte", 2),
           ("user bytes SSD held at the end, per byte", "ssdHeldPerByte", 2),
           ("HDD bytes per byte, with what SSD holds owed", "hddOwedPerByte", 2),
           ("MB rewritten from SSD to DISK", "rewrittenMb", 0), ("calls that waited", "callsDelayed", 0),
           ("HDD use", "hddUse", 2),
           ("SSD use", "ssdUse", 2), ("CPU use", "cpuUse", 2)]


def read(files, group="writers"):
    """{(group, rival): {round: run}}"""
    runs = {}
    for name in files:
        with open(name, encoding="utf-8") as lines:
            if name.endswith(".json") and lines.read(1) == "[":
                for run in of_jmh(lines):
                    runs.setdefault((run[group], run["rival"]), {})[name, 1] = run
                continue
            lines.seek(0)
            for line in lines:
                if line.startswith("{"):
                    run = with_sums(json.loads(line))
                    runs.setdefault((run[group], run["rival"]), {})[name, run["round"]] = run
    if not runs:
        sys.exit("no run in " + " ".join(files) + ": give files that the scripts in bench wrote")
    return runs


def with_sums(run):
    """A run with what its fields say together."""
    if "ssdHeldPerByte" in run:
        run["hddOwedPerByte"] = run["hddBytesPerByte"] + run["ssdHeldPerByte"]
    if "rewrittenBytes" in run:
        run["rewrittenMb"] = run["rewrittenBytes"] / (1 << 20)
    return run


def of_jmh(lines):
    """Runs of JMH as those of the scripts in bench, a rival for each rival, sync and policy."""
    lines.seek(0)
    for run in json.load(lines):
        own = run["params"]
        yield {"writers": run["threads"], "rival": f"{own['rival']}/{own['sync']} {own['policy']}",
               "opsPerSecond": rate_of_jmh(run)}


def rate_of_jmh(run):
    """Throughput of all threads follows from their mean time."""
    return run["threads"] / run["primaryMetric"]["score"] * 1e3


def middle(rounds, field):
    return median(run.get(field, 0) for run in rounds.values())


def rivals_of(runs):
    return list(dict.fromkeys(sorted((rival for _, rival in runs), key=lambda r: (r.startswith("HYBRID"), r))))


def table(runs):
    rivals = rivals_of(runs)
    print("| writers | rival | edits/s | ratio (least to greatest) | p50 ms | p99 ms | device I/Os per edit | CPU µs per edit | rounds |")
    print("|---|---|---|---|---|---|---|---|---|")
    for writers in sorted({w for w, _ in runs}):
        present = [r for r in rivals if (writers, r) in runs]
        for rival in present:
            own = runs[(writers, rival)]
            reference = runs[(writers, reference_of(rival, present))]
            ratios = [own[i]["opsPerSecond"] / reference[i]["opsPerSecond"] for i in own if i in reference]
            ios = middle(own, "iosPerEdit")
            print(f"| {writers} | {rival} | {middle(own, 'opsPerSecond'):,.0f} "
                  f"| {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}) "
                  f"| {middle(own, 'p50ms'):.2f} | {middle(own, 'p99ms'):.2f} "
                  f"| {f'{ios:.3f}' if ios else 'not counted'} | {middle(own, 'cpuMicrosPerEdit'):.1f} | {len(own)} |")


def paired(runs):
    print("| writers | rival | rounds | edits/s | p50 | p99 | CPU an edit |")
    print("|---|---|---|---|---|---|---|")
    for writers in sorted({w for w, _ in runs}):
        present = [r for r in rivals_of(runs) if (writers, r) in runs]
        for rival in present:
            own = runs[(writers, rival)]
            stock = runs[(writers, reference_of(rival, present))]
            both = [i for i in own if i in stock]
            if own is stock or len(both) < 2:
                continue
            cells = []
            for field in ("opsPerSecond", "p50ms", "p99ms", "cpuMicrosPerEdit"):
                logs = [log(own[i][field] / stock[i][field]) for i in both]
                middle_of = exp(mean(logs))
                cells.append(f"{middle_of:.2f} ± {2 * middle_of * stdev(logs) / len(logs) ** 0.5:.2f}")
            print(f"| {writers} | {rival} | {len(both)} | " + " | ".join(cells) + " |")


def reference_of(rival, present):
    stock = rival.split("/")[0].removeprefix("HYBRID_")
    return next(r for r in ("ASYNCFS", stock, present[0]) if r in present)


def tier(runs):
    """A table a workload; ratios of throughput to stock, of runs of one round."""
    for workload in dict.fromkeys(w for w, _ in runs):
        rivals = [r for r in ("STOCK", "OFF", "ON", "DRAINED") if (workload, r) in runs]
        print(f"\n**{workload}**, median (least to greatest)\n")
        print("| |" + "|".join(f" {rival}, rounds: {len(runs[(workload, rival)])} " for rival in rivals) + "|")
        print("|---" * (len(rivals) + 1) + "|")
        stock = runs.get((workload, "STOCK"), {})
        cells = []
        for rival in rivals:
            own = runs[(workload, rival)]
            ratios = [own[i]["opsPerSecond"] / stock[i]["opsPerSecond"] for i in own if i in stock]
            cells.append(span(ratios, 2))
        print("| ops/s, stock = 1 | " + " | ".join(cells) + " |")
        for heading, field, decimals in TIER:
            print(f"| {heading} | " + " | ".join(
                span([run.get(field) for run in runs[(workload, r)].values()], decimals) for r in rivals) + " |")


def span(values, decimals):
    values = [value for value in values if value is not None]
    if not values:
        return "–"
    if len(values) == 1:
        return f"{values[0]:,.{decimals}f}"
    return f"{median(values):,.{decimals}f} ({min(values):,.{decimals}f} to {max(values):,.{decimals}f})"


def jmh(files):
    """A row a combination of parameters."""
    print("| writers | rival | sync | policy | bytes | edits/s | p50 ms | p99 ms | p99.9 ms | bytes allocated per edit |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name in files:
        with open(name, encoding="utf-8") as text:
            for run in json.load(text):
                own, parts = run["params"], run["primaryMetric"]["scorePercentiles"]
                allocated = run["secondaryMetrics"]["gc.alloc.rate.norm"]["score"]
                rows.append(((run["threads"], int(own["bytes"]), own["sync"], own["policy"]),
                             own["rival"].removeprefix("HYBRID_"), own["rival"],
                             rate_of_jmh(run),
                             [parts[p] for p in ("50.0", "99.0", "99.9")], allocated))
    for (writers, size, sync, policy), _, rival, rate, times, allocated in sorted(rows, key=lambda r: (*r[:2], len(r[2]))):
        print(f"| {writers} | {rival} | {sync} | {policy} | {size:,} | {rate:,.0f} | "
              + " | ".join(f"{time:.2f}" for time in times) + f" | {allocated:,.0f} |")


def chart(runs):
    """Bars of edits per second, each group of writers on a scale of its own, from zero."""
    rivals = rivals_of(runs)
    groups = sorted({w for w, _ in runs})
    bar, gap, left, width = 22, 26, 370, 900
    height = 50 + sum(gap + 18 + bar * sum((g, r) in runs for r in rivals) for g in groups)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
           f'<rect width="{width}" height="{height}" fill="white"/>',
           '<text x="16" y="26" font-size="16">Edits per second, median of the rounds</text>']
    y = 44
    for group in groups:
        most = max(middle(runs[(group, r)], "opsPerSecond") for r in rivals if (group, r) in runs)
        y += gap - 8
        out.append(f'<text x="16" y="{y}" font-weight="bold">{group} writer{"" if group == 1 else "s"}</text>')
        y += 8
        for rival in rivals:
            if (group, rival) not in runs:
                continue
            value = middle(runs[(group, rival)], "opsPerSecond")
            length = max(1, (width - left - 90) * value / most)
            colour = COLOURS.get(rival.split("/")[0], "#495057")
            out.append(f'<text x="{left - 8}" y="{y + 15}" text-anchor="end">{escape(rival)}</text>')
            out.append(f'<rect x="{left}" y="{y + 2}" width="{length:.1f}" height="{bar - 5}" fill="{colour}"/>')
            out.append(f'<text x="{left + length + 6:.1f}" y="{y + 15}">{value:,.0f}</text>')
            y += bar
        y += 10
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("table", "paired", "jmh", "chart", "tier"):
        sys.exit(__doc__)
    if sys.argv[1] == "jmh":
        jmh(sys.argv[2:])
    elif sys.argv[1] == "tier":
        tier(read(sys.argv[2:], "workload"))
    else:
        {"table": table, "paired": paired, "chart": chart}[sys.argv[1]](read(sys.argv[2:]))

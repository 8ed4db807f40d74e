"""Makes heads.json: effects of blocks and the heads that DET-2 gives them. Shares nothing with the venue's own code.

    python3 test/vectors/heads/make.py > test/vectors/heads/heads.json
"""

import hashlib
import json
import struct

GROUP_BLOCKS, GROUP_DOUBLES = 64, 8192


def sha(base, doubles):
    return hashlib.sha256(base + struct.pack(f"<{len(doubles)}d", *doubles)).digest()


def effects(block):
    told = block["events"] + [block["fill"]["value"]] * block["fill"]["times"]
    doubles = [-1, block["height"], block["timeMs"], *told, -2, len(block["codes"]), *block["codes"]]
    if block["texts"]:
        doubles.append(-3)
    for text in block["texts"]:
        doubles += [len(text), *map(ord, text)]
    return doubles


def blocks():
    """70 small blocks, so that 64 are a group; then groups that end one double below, at and above the most."""
    time = 1_700_000_000_000
    for height in range(1, 81):
        time += height * 37
        most = {72: GROUP_DOUBLES - 1, 74: GROUP_DOUBLES, 76: GROUP_DOUBLES + 1}.get(height)
        yield {
            "height": height,
            "timeMs": time,
            "events": [height % 7, (height * 1_000_003) % 9_000_000_000_000_000, 0.5 * height][: height % 4],
            "fill": {"value": height, "times": 0},
            "codes": [0, 12, -3][: height % 4],
            "texts": [["BTC-PERP"], ["x", "client order 7"]][height % 2] if height % 3 == 0 else [],
        }, most


def main():
    base = hashlib.sha256(b"heads").digest()
    out = {"base": base.hex(), "blocks": []}
    group, pending = [], 0
    for block, most in blocks():
        if pending >= GROUP_BLOCKS or len(group) >= GROUP_DOUBLES:
            base, group, pending = sha(base, group), [], 0
        if most is not None:
            block["fill"]["times"] = most - len(group) - len(effects(block))
        group += effects(block)
        pending += 1
        out["blocks"].append({**block, "head": "0x" + sha(base, group).hex(), "doubles": len(group)})
    lines = ",\n".join("    " + json.dumps(block) for block in out["blocks"])
    print(f'{{\n  "base": "0x{out["base"]}",\n  "blocks": [\n{lines}\n  ]\n}}')


main()

// Pyramid: units are made from models (stage 1), or marked in a peer (stage 2).

import { UnitMaker } from "../bench/unit_maker.js";
import { UnitMarker } from "../bench/unit_marker.js";

export function draw(context) {
  const bench = context.screen.stage === "models" ? new UnitMaker(context) : new UnitMarker(context);
  return bench.start();
}

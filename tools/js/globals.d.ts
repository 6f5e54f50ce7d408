// What the type checker cannot know: elements that are found by a selector are used as what they are on the page, and
// the report loads Vega before its own script.
interface Element {
  checked: any;
  readonly dataset: DOMStringMap;
  disabled: any;
  focus(options?: FocusOptions): void;
  hidden: any;
  open: any;
  options: any;
  tBodies: any;
  tHead: any;
  value: any;
}
interface EventTarget {
  closest(selector: string): any;
}
declare function vegaEmbed(place: Element, chart: object, options: object): Promise<any>;

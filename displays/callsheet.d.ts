/**
 * The types of `window.callsheet`, by which the page that serves Callsheet says how tools are shown.
 *
 * Nothing here reaches an agent: it concerns the screen only.
 */

/** How a call ended, or that it has not. */
export type CallStatus =
  | "running"
  | "ok"
  | "error"
  | "lost"
  | "ends-run"
  | "awaiting-approval"
  | "refused"
  | "cancelled";

/** A tool call, as the functions of a display are given it. */
export interface Call {
  /** The id on the wire; it may repeat within a session, and may be empty. */
  readonly id: string;
  /** The tool's identifier as on the wire; empty when only the result is known. */
  readonly name: string;
  /** The agent that made the call. */
  readonly agent: string;
  /** What the tool was given: any JSON value, or the text that an agent wrote instead. `null` while it is not here. */
  readonly input: unknown;
  /** What the tool gave back: its text, or a JSON value that is no text. `null` while it is not here. */
  readonly output: unknown;
  readonly status: CallStatus;
  /** What went wrong, when `status` is `"error"`. */
  readonly error: string | null;
  /** When it began, in milliseconds since 1970. */
  readonly startedAt: number | null;
  /** When it ended, in milliseconds since 1970. */
  readonly endedAt: number | null;
  /** How long it took, in milliseconds. */
  readonly durationMs: number | null;
}

/**
 * How the calls of a tool are shown. What is left out keeps the card's own way. Functions must be quick and have no
 * effects: they run whenever a card says its words. One that throws is named once in the console, and the card says its own.
 */
export interface ToolDisplay {
  /** What stands in the place of the identifier, in the page's text font. An empty one leaves it to the identifier. */
  label: string | ((call: Call) => string);
  /** The key of an icon; one that is not known is shown as a wrench. */
  icon: string;
  /** The call in one line. */
  summary: (call: Call) => string;
  /** What the open card shows as the input, as text. */
  formatInput: (input: unknown) => string;
  /** Whether the screen leaves the calls out. Search, totals and copies keep them; an approval is still asked for. */
  hidden: boolean;
  /** Whether the cards start open, where neither the reader nor `setDefaults` says otherwise. */
  open: boolean;
}

/** What `getToolDisplay` gives: a text field that came from a file or the viewer's settings is its template. */
export type RegisteredToolDisplay = Partial<
  Omit<ToolDisplay, "summary" | "formatInput"> & {
    summary: string | ToolDisplay["summary"];
    formatInput: string | ToolDisplay["formatInput"];
  }
>;

/** Draws the calls of a tool in the place of their cards. */
export interface ToolRenderer {
  /** A string is shown as text, `""` draws nothing. A node is put onto the page as it is: what it does is the host's own. */
  render(call: Call): string | Node;
}

/**
 * Which tools: an exact name, a pattern that is searched for in the name (its `g` does no harm), or `"*"` for every other.
 * The exact name applies, else the first registered pattern that is found, else `"*"`; what applies is used whole.
 */
export type ToolMatch = string | RegExp;

/** `window.callsheet`. It is there before the first card is drawn, and whatever is registered later shows at once. */
export interface Callsheet {
  /** Merges a display into what is registered for the same match, field by field. */
  registerToolDisplay(match: ToolMatch, display: Partial<ToolDisplay>): void;
  /** Takes all of a display away, what `displays.json` says of the match too. The viewer's own settings stay. */
  unregisterToolDisplay(match: ToolMatch): void;
  /** The display that applies to a tool, from all that was registered. */
  getToolDisplay(name: string): RegisteredToolDisplay | undefined;
  /** Whether the screen leaves the calls of a tool out. */
  isToolHidden(name: string): boolean;
  /** Sets the field `summary` alone. */
  registerToolSummary(match: ToolMatch, summary: ToolDisplay["summary"]): void;
  unregisterToolSummary(match: ToolMatch): void;
  /** Sets the field `formatInput` alone. */
  registerToolInputFormatter(match: ToolMatch, formatInput: ToolDisplay["formatInput"]): void;
  unregisterToolInputFormatter(match: ToolMatch): void;
  /** Sets what draws the calls. Against `hidden` the more specific match wins; equally specific, `hidden` does. */
  registerToolRenderer(match: ToolMatch, renderer: ToolRenderer): void;
  unregisterToolRenderer(match: ToolMatch): void;
  /** Adds icons: the text of an SVG by key. */
  registerIcons(icons: Record<string, string>): void;
  /** Whether cards start open, over what each display says. */
  setDefaults(defaults: { open?: boolean }): void;
}

declare global {
  interface Window {
    readonly callsheet?: Callsheet;
  }
  interface WindowEventMap {
    /** Dispatched on `window` once, when `window.callsheet` is there. */
    "callsheet:ready": CustomEvent<Callsheet>;
  }
}

import type { Draft } from './draft.ts';
import type { ParameterValue } from './parameter-values.ts';
import type { RunState } from './use-run.ts';

/** A place in a text, or a part of it that is selected. */
export type Caret = { readonly anchor: number; readonly head: number };

/** What the page of a new query leaves to the page of the saved one, so that saving interrupts nobody. */
export type Continuation = {
  /** The draft as it was saved. */
  readonly start: Draft;
  /** The draft as it is now: somebody may have gone on writing. */
  readonly draft: Draft;
  readonly present: string;
  readonly values: Readonly<Record<string, ParameterValue>>;
  readonly run: RunState;
  /** Where the text is being written; null while it has no focus. */
  readonly caret: Caret | null;
};

let left: { readonly id: number; readonly read: () => Continuation } | undefined;

/** Leaves what `read` gives to the page of the query that was just made. It is read when that page is drawn. */
export function leaveTo(id: number, read: () => Continuation): void {
  left = { id, read };
}

/** What was left to the page of a query. */
export const leftTo = (id: number): Continuation | undefined => (left?.id === id ? left.read() : undefined);

/** To be called when the page that left it has gone. */
export function forgetLeft(): void {
  left = undefined;
}

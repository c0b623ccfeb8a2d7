import type { Query } from '@svc/contract';
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

type Left = { readonly id: number; readonly version: number; readonly read: () => Continuation };

let left: Left | undefined;

/** Leaves what `read` gives to the page of the query that was just made, as long as nobody has changed that. */
export function leaveTo({ id, version }: Query, read: () => Continuation): void {
  left = { id, version, read };
}

/** What was left to the page of a query. */
export const leftTo = ({ id, version }: Query): Continuation | undefined =>
  left?.id === id && left.version === version ? left.read() : undefined;

/** To be called when the page that left something goes: what it would show now is what it leaves. */
export function settleLeft(): void {
  if (!left) return;
  const last = left.read();
  left = { ...left, read: () => last };
}

/** To be called when an editor has begun. */
export function forgetLeft(): void {
  left = undefined;
}

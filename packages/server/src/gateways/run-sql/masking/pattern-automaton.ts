import { type Anchor, type CharTest, type Node, refusePattern } from './pattern-reader.ts';

const statesMax = 2_000;
/** Maximum number of cached state sets. Beyond it the cache is cleared. */
const rememberedMax = 1_000;

/** A state of the automaton. A transition needs a character, an anchor, or nothing. `next` is filled during compilation. */
type State = { test: CharTest | null; anchor: Anchor | null; next: number[] };

const acceptState = 0;

/** Builds the automaton from end to start: each node receives its successor state. */
function compile(source: string, root: Node): { states: State[]; start: number } {
  const states: State[] = [{ test: null, anchor: null, next: [] }];
  const add = (state: State): number => {
    if (states.length >= statesMax)
      throw refusePattern(source, 'it is too large when its repetitions are written out');
    return states.push(state) - 1;
  };
  const build = (node: Node, after: number): number => {
    switch (node.type) {
      case 'char':
        return add({ test: node.test, anchor: null, next: [after] });
      case 'anchor':
        return add({ test: null, anchor: node.anchor, next: [after] });
      case 'sequence':
        return node.items.reduceRight((next, item) => build(item, next), after);
      case 'choice':
        return add({ test: null, anchor: null, next: node.options.map((option) => build(option, after)) });
      case 'repeat':
        return buildRepeat(node, after);
    }
  };
  const buildRepeat = (node: Extract<Node, { type: 'repeat' }>, after: number): number => {
    let next = after;
    if (node.max === Number.POSITIVE_INFINITY) {
      const loop: State = { test: null, anchor: null, next: [] };
      next = add(loop);
      loop.next.push(build(node.item, next), after);
    } else {
      for (let turn = node.min; turn < node.max; turn++) {
        next = add({ test: null, anchor: null, next: [build(node.item, next), after] });
      }
    }
    for (let turn = 0; turn < node.min; turn++) next = build(node.item, next);
    return next;
  };
  return { states, start: build(root, acceptState) };
}

/** The simultaneous states of the automaton, with the transition of each character. */
type StateSet = {
  readonly characterStates: readonly number[];
  readonly isFound: boolean;
  /** True if the pattern matches when the text ends here. */
  readonly isFoundAtEnd: boolean;
  readonly next: Map<number, StateSet>;
};

/** Compiles a search with one step per character. Computed steps are cached. The text must be in lower case. */
export function compilePattern(source: string, root: Node): (text: string) => boolean {
  const { states, start } = compile(source, root);
  let remembered = new Map<string, StateSet>();

  /** Returns the states that are reachable without a character. An anchor is passed only at its position. */
  function reach(
    seeds: readonly number[],
    isAtStart: boolean,
    isAtEnd: boolean,
  ): { found: boolean; kept: number[] } {
    const seen = new Set<number>();
    const kept: number[] = [];
    const open = [...seeds];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (seen.has(index)) continue;
      seen.add(index);
      const state = states[index];
      if (!state) continue;
      if (state.test) kept.push(index);
      else if (state.anchor === null || (state.anchor === 'start' ? isAtStart : isAtEnd))
        open.push(...state.next);
    }
    return { found: seen.has(acceptState), kept };
  }

  function setOf(seeds: readonly number[], isAtStart: boolean): StateSet {
    const { found: isFound, kept } = reach(seeds, isAtStart, false);
    const isFoundAtEnd = reach(seeds, isAtStart, true).found;
    const characterStates = kept.sort((one, other) => one - other);
    const key = `${characterStates.join(' ')}${isFound ? '!' : ''}${isFoundAtEnd ? '$' : ''}`;
    const cachedSet = remembered.get(key);
    if (cachedSet) return cachedSet;
    if (remembered.size >= rememberedMax) remembered = new Map();
    const set: StateSet = { characterStates, isFound, isFoundAtEnd, next: new Map() };
    remembered.set(key, set);
    return set;
  }

  function step(from: StateSet, code: number): StateSet {
    const cachedSet = from.next.get(code);
    if (cachedSet) return cachedSet;
    // A match may start at every character.
    const seeds = [start];
    for (const index of from.characterStates) {
      const state = states[index];
      if (state?.test?.(code)) seeds.push(...state.next);
    }
    const set = setOf(seeds, false);
    if (from.next.size < rememberedMax) from.next.set(code, set);
    return set;
  }

  const first = setOf([start], true);
  return (text) => {
    let set = first;
    for (let at = 0; at < text.length; at++) {
      if (set.isFound) return true;
      set = step(set, text.charCodeAt(at));
    }
    return set.isFound || set.isFoundAtEnd;
  };
}

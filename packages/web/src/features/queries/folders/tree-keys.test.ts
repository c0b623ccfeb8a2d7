import { describe, expect, it } from 'vitest';
import { moveOf } from './tree-keys.ts';
import { allKey, type TreeNode } from './tree-nodes.ts';

const node = (key: string, level: number, part: Partial<TreeNode> = {}): TreeNode => ({
  key,
  label: key,
  level,
  projectId: 1,
  folder: null,
  hasBelow: false,
  isOpen: true,
  ...part,
});
const project = node('p1', 1, { hasBelow: true });
const open = node('f1', 2, { hasBelow: true });
const leaf = node('f2', 3);
const closed = node('f3', 2, { hasBelow: true, isOpen: false });
const nodes = [project, open, leaf, closed];

describe('a key in the tree of folders', () => {
  it('moves the focus by one row, and to the first and the last row', () => {
    expect(moveOf('ArrowDown', nodes, undefined)).toEqual({ kind: 'focus', key: 'p1' });
    expect(moveOf('ArrowUp', nodes, project)).toEqual({ kind: 'focus', key: allKey });
    expect(moveOf('ArrowDown', nodes, closed)).toEqual({ kind: 'focus', key: undefined });
    expect(moveOf('Home', nodes, leaf)).toEqual({ kind: 'focus', key: allKey });
    expect(moveOf('End', nodes, undefined)).toEqual({ kind: 'focus', key: 'f3' });
  });

  it('expands a collapsed row, and moves into an expanded one', () => {
    expect(moveOf('ArrowRight', nodes, closed)).toEqual({ kind: 'expand' });
    expect(moveOf('ArrowRight', nodes, open)).toEqual({ kind: 'focus', key: 'f2' });
    expect(moveOf('ArrowRight', nodes, leaf)).toEqual({ kind: 'focus', key: undefined });
  });

  it('collapses an expanded row, and moves from any other row to its parent', () => {
    expect(moveOf('ArrowLeft', nodes, open)).toEqual({ kind: 'collapse' });
    expect(moveOf('ArrowLeft', nodes, leaf)).toEqual({ kind: 'focus', key: 'f1' });
    expect(moveOf('ArrowLeft', nodes, closed)).toEqual({ kind: 'focus', key: 'p1' });
    expect(moveOf('ArrowLeft', nodes, undefined)).toEqual({ kind: 'focus', key: undefined });
  });

  it('selects the row, or is left to the browser', () => {
    expect(moveOf('Enter', nodes, leaf)).toEqual({ kind: 'choose' });
    expect(moveOf(' ', nodes, leaf)).toEqual({ kind: 'choose' });
    expect(moveOf('a', nodes, leaf)).toBeUndefined();
  });
});

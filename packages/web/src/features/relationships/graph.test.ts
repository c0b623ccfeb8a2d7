import { describe, expect, test } from 'vitest';
import { componentsOf, graphOf, nearestIn } from './graph.ts';

const end = (table: string, schema = 'public') => ({ schema, table, columns: ['id'] });
const between = (...pairs: readonly [string, string][]) =>
  pairs.map(([from, to]) => ({ source: end(from), target: end(to) }));

describe('graph of related tables', () => {
  test('draws all relationships between the same two tables as one line', () => {
    const { nodes, edges } = graphOf(between(['orders', 'users'], ['orders', 'users'], ['users', 'users']));
    expect(edges).toEqual([
      { from: 'public.orders', to: 'public.users', count: 2 },
      { from: 'public.users', to: 'public.users', count: 1 },
    ]);
    expect(nodes).toEqual([
      { name: 'public.orders', degree: 2 },
      { name: 'public.users', degree: 3 },
    ]);
  });

  test('lists groups with the largest first, each with its own lines', () => {
    const groups = componentsOf(graphOf(between(['a', 'b'], ['d', 'c'], ['e', 'd'], ['e', 'e'])));
    expect(groups.map(({ nodes }) => nodes.map(({ name }) => name))).toEqual([
      ['public.c', 'public.d', 'public.e'],
      ['public.a', 'public.b'],
    ]);
    expect(groups.map(({ edges }) => edges.length)).toEqual([3, 1]);
  });

  test('has no groups without relationships', () => {
    expect(componentsOf(graphOf([]))).toEqual([]);
  });
});

test('an arrow key moves to the nearest table in its direction, and does not move past the edge', () => {
  const points = [
    { name: 'right', x: 10, y: 0 },
    { name: 'far right', x: 30, y: 0 },
    { name: 'below', x: 1, y: 12 },
    { name: 'aside', x: 8, y: 20 },
  ];
  const from = { x: 0, y: 0 };
  expect(nearestIn(from, points, 'ArrowRight')?.name).toBe('right');
  expect(nearestIn(from, points, 'ArrowDown')?.name).toBe('below');
  expect(nearestIn(from, points, 'ArrowLeft')).toBeUndefined();
});

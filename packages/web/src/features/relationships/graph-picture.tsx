import { Graph as LayoutGraph, layout } from '@dagrejs/dagre';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { count } from '../../lib/format.ts';
import { type Direction, type Graph, nearestIn } from './graph.ts';
import classes from './graph-picture.module.css';

const characterWidth = 7.3;
const nodeHeight = 28;
const margin = 12;

type Placed = { readonly name: string; readonly degree: number } & Record<
  'x' | 'y' | 'width' | 'height',
  number
>;
type Line = { readonly from: string; readonly to: string; readonly path: string };
type Picture = {
  readonly width: number;
  readonly height: number;
  readonly nodes: Placed[];
  readonly lines: Line[];
};

/** Computes the layout. A referencing table is to the left of the table that it references. */
function placed({ nodes, edges }: Graph): Picture {
  const graph = new LayoutGraph();
  graph.setGraph({ rankdir: 'LR', nodesep: 12, ranksep: 48, marginx: margin, marginy: margin });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of nodes)
    graph.setNode(name, { width: name.length * characterWidth + 24, height: nodeHeight });
  for (const { from, to } of edges) if (from !== to) graph.setEdge(from, to);
  layout(graph);
  const size = graph.graph();
  return {
    width: size.width ?? 0,
    height: size.height ?? 0,
    nodes: nodes.map((node) => {
      const { x = 0, y = 0, width = 0, height = 0 } = graph.node(node.name);
      return { ...node, x, y, width, height };
    }),
    lines: graph.edges().map(({ v, w }) => {
      const points = graph.edge(v, w).points ?? [];
      const steps = points.map(
        ({ x, y }: { x: number; y: number }, at: number) => `${at === 0 ? 'M' : 'L'}${x} ${y}`,
      );
      return { from: v, to: w, path: steps.join(' ') };
    }),
  };
}

const arrows: readonly string[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'] satisfies Direction[];
const isArrow = (key: string): key is Direction => arrows.includes(key);

type Props = {
  readonly graph: Graph;
  readonly selected: string | undefined;
  readonly onChoose: (table: string) => void;
};

/** Tables and their relationships as a graph. One table is in the tab order. Arrow keys move between tables. */
export function GraphPicture({ graph, selected, onChoose }: Props) {
  const picture = useMemo(() => placed(graph), [graph]);
  const [current, setCurrent] = useState<string>();
  const root = useRef<SVGSVGElement>(null);
  const focused = picture.nodes.find(({ name }) => name === current) ?? picture.nodes[0];
  const onKeyDown = (event: KeyboardEvent, node: Placed) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      onChoose(node.name);
      return;
    }
    if (!isArrow(event.key)) return;
    event.preventDefault();
    const next = nearestIn(node, picture.nodes, event.key);
    if (!next) return;
    setCurrent(next.name);
    root.current?.querySelector<SVGGElement>(`[data-table="${CSS.escape(next.name)}"]`)?.focus();
  };
  const isTouched = ({ from, to }: Line): boolean => selected === from || selected === to;
  return (
    <div className={classes['frame']}>
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no group of fields of its own. */}
      <svg
        ref={root}
        width={picture.width}
        height={picture.height}
        viewBox={`0 0 ${picture.width} ${picture.height}`}
        role="group"
        aria-label="Tables and what joins them"
      >
        {picture.lines.map((line) => (
          <path
            key={`${line.from} ${line.to}`}
            d={line.path}
            className={classes['line']}
            data-touched={isTouched(line)}
          />
        ))}
        {picture.nodes.map((node) => (
          // biome-ignore lint/a11y/useSemanticElements: SVG has no button of its own.
          <g
            key={node.name}
            role="button"
            tabIndex={node.name === focused?.name ? 0 : -1}
            data-table={node.name}
            aria-label={`${node.name}, ${count(node.degree)} ${node.degree === 1 ? 'relationship' : 'relationships'}`}
            aria-pressed={node.name === selected}
            className={classes['node']}
            onClick={() => onChoose(node.name)}
            onFocus={() => setCurrent(node.name)}
            onKeyDown={(event) => onKeyDown(event, node)}
          >
            <rect
              x={node.x - node.width / 2}
              y={node.y - node.height / 2}
              width={node.width}
              height={node.height}
              rx={4}
            />
            <text x={node.x} y={node.y} textAnchor="middle" dominantBaseline="central">
              {node.name}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

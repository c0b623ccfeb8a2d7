import { Select } from '@mantine/core';
import type { Relationship } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { plural } from '../../lib/format.ts';
import { everyRelationship } from '../../requests/relationships.ts';
import { LazyPart, later } from '../../ui/feedback/lazy-part.tsx';
import { ProblemNote } from '../../ui/feedback/problem.tsx';
import { endText, tableName } from './end-text.tsx';
import { componentsOf, type Graph, graphOf, nodesMax } from './graph.ts';
import classes from './health-panel.module.css';

const pictureCode = later(async () => (await import('./graph-picture.tsx')).GraphPicture);

/** Graph of the related tables: all of them, or one group at a time if there are many. */
export function GraphPanel({ dataSourceId }: { readonly dataSourceId: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={classes['panel']} aria-label="Graph">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Graph</summary>
        {isOpen && <GraphOf dataSourceId={dataSourceId} />}
      </details>
    </section>
  );
}

function GraphOf({ dataSourceId }: { readonly dataSourceId: number }) {
  const { data, error } = useQuery(everyRelationship(dataSourceId));
  const groups = useMemo(() => componentsOf(graphOf(data ?? [])), [data]);
  const [group, setGroup] = useState(0);
  const [selectedTable, setSelectedTable] = useState<string>();
  if (error) return <ProblemNote error={error} />;
  if (!data) return <div aria-busy="true" />;
  const [first] = groups;
  if (!first) return <p className="soft">No relationship joins any tables yet.</p>;
  const isWhole = groups.reduce((sum, { nodes }) => sum + nodes.length, 0) <= nodesMax;
  const shown = isWhole ? unionOf(groups) : (groups[group] ?? first);
  return (
    <div className="stack-tight">
      {!isWhole && (
        <Select
          label="Group of tables"
          allowDeselect={false}
          data={groups.map(({ nodes }, index) => ({
            value: String(index),
            label: `${nodes[0]?.name} and ${plural(nodes.length - 1, 'other', 'others')}`,
          }))}
          value={String(group)}
          onChange={(value) => setGroup(Number(value))}
        />
      )}
      {shown.nodes.length > nodesMax ? (
        <p className="soft">
          {plural(shown.nodes.length, 'table is', 'tables are')} connected: too many for one picture. The list
          below can be searched.
        </p>
      ) : (
        <LazyPart code={pictureCode} onMissing={() => undefined}>
          {(Picture) => <Picture graph={shown} selected={selectedTable} onChoose={setSelectedTable} />}
        </LazyPart>
      )}
      {selectedTable !== undefined && <OfTable table={selectedTable} relationships={data} />}
    </div>
  );
}

const unionOf = (groups: readonly Graph[]): Graph => ({
  nodes: groups.flatMap(({ nodes }) => nodes),
  edges: groups.flatMap(({ edges }) => edges),
});

function OfTable({
  table,
  relationships,
}: {
  readonly table: string;
  readonly relationships: readonly Relationship[];
}) {
  const connected = relationships.filter(({ source, target }) =>
    [tableName(source), tableName(target)].includes(table),
  );
  return (
    <div role="status">
      <p>
        <code>{table}</code>
      </p>
      <ul>
        {connected.map((one) => (
          <li key={one.id}>
            {endText(one.source)} → {endText(one.target)}
          </li>
        ))}
      </ul>
    </div>
  );
}

import { Select } from '@mantine/core';
import type { QueryVersion } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { DefinitionDifferences } from '../../../views/query-definition/definition-differences.tsx';
import { versionDiff, versions } from '../requests/versions.ts';
import classes from './version.module.css';

const listedMax = 200;

/** Differences between a version and another one. Default: the preceding version. */
export function Comparison({ shown }: { readonly shown: QueryVersion }) {
  const list = useQuery(versions(shown.queryId, { pageSize: String(listedMax) }));
  const others = (list.data?.items ?? []).filter((version) => version.id !== shown.id);
  const before = others.find((version) => version.versionNumber < shown.versionNumber);
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const otherId = selectedId === null ? (before ?? others[0])?.id : Number(selectedId);
  if (list.error) return <ProblemNote error={list.error} />;
  if (list.data && others.length === 0)
    return <p className="soft">There is no other version to compare with.</p>;
  return (
    <>
      <Select
        label="Compare with"
        allowDeselect={false}
        className={classes['choice'] ?? ''}
        data={others.map((version) => ({
          value: String(version.id),
          label: `Version ${version.versionNumber}`,
        }))}
        value={otherId === undefined ? null : String(otherId)}
        onChange={setSelectedId}
      />
      {otherId !== undefined && <Differences from={otherId} to={shown.id} />}
    </>
  );
}

function Differences({ from, to }: { readonly from: number; readonly to: number }) {
  const diff = useQuery(versionDiff(from, to));
  if (diff.error) return <ProblemNote error={diff.error} />;
  if (!diff.data) return <div className={classes['waiting']} aria-busy="true" />;
  if (diff.data.parts.length === 0) return <p className="soft">Both say the same.</p>;
  const { from: older, to: newer, parts } = diff.data;
  return (
    <DefinitionDifferences
      parts={parts}
      before={`Version ${older.versionNumber}`}
      after={`Version ${newer.versionNumber}`}
    />
  );
}

import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../../lib/paths.ts';
import { queries } from '../../../requests/queries.ts';
import { Step } from '../../../ui/frame/flow-steps.tsx';
import { LinkButton } from '../../../ui/frame/link-button.tsx';
import type { StepProps } from './choices.ts';

/** Step for the query. */
export function QueryStep({ choices, change }: StepProps) {
  const [search, setSearch] = useState('');
  const matches = useQuery(queries({ search, pageSize: '50', sort: 'name' }));
  return (
    <Step title="Which query?">
      <Select
        aria-label="Query"
        placeholder="Find a query by its name"
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        filter={({ options }) => options}
        nothingFoundMessage="No matching query."
        data={(matches.data?.items ?? []).map((item) => ({ value: String(item.id), label: item.name }))}
        value={choices.queryId === null ? null : String(choices.queryId)}
        onChange={(value) => change({ queryId: value === null ? null : Number(value), values: {} })}
        data-autofocus
      />
      {matches.data?.totalCount === 0 && search === '' && (
        <p className="soft row">
          There is no query yet. <LinkButton to={paths.newQuery()}>Write one</LinkButton>
        </p>
      )}
    </Step>
  );
}

import { Button, Checkbox } from '@mantine/core';
import { acceptRelationships, type RelationshipProposal } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { count, scoreText } from '../../lib/format.ts';
import { useChange } from '../../lib/server-state.ts';
import { toastDone, toastProblem } from '../../ui/feedback/toast.tsx';
import { endText } from './end-text.tsx';
import classes from './health-panel.module.css';
import { proposals } from './requests/relationships.ts';

const keyOf = ({ source, target }: RelationshipProposal): string => `${endText(source)} → ${endText(target)}`;

/**
 * Relationships that column names suggest, each with its reason. The service stores one only after a user accepts it.
 */
export function ProposalsPanel({ dataSourceId }: { readonly dataSourceId: number }) {
  const { data } = useQuery(proposals(dataSourceId));
  const accept = useChange(acceptRelationships);
  const [omittedKeys, setOmittedKeys] = useState<readonly string[]>([]);
  const proposed = data?.proposals ?? [];
  if (proposed.length === 0) return null;
  const selected = proposed.filter((proposal) => !omittedKeys.includes(keyOf(proposal)));
  const keep = () =>
    accept
      .mutateAsync({
        params: { id: dataSourceId },
        body: { proposals: selected.map(({ source, target }) => ({ source, target })) },
      })
      .then(({ items }) => toastDone(`${count(items.length)} relationships were kept.`), toastProblem);
  return (
    <section className={classes['panel']} aria-label="Proposals">
      <h2>
        Proposed by name <span className="mono soft">{count(proposed.length)}</span>
      </h2>
      <p className="soft">
        The database does not declare these. Keep those that hold; somebody can verify them later.
      </p>
      <div className={classes['findings']}>
        {proposed.map((proposal) => (
          <Checkbox
            key={keyOf(proposal)}
            label={keyOf(proposal)}
            description={`${proposal.evidence} Confidence ${scoreText(proposal.confidence * 100)} %.`}
            checked={!omittedKeys.includes(keyOf(proposal))}
            onChange={(event) => {
              const key = keyOf(proposal);
              setOmittedKeys(
                event.currentTarget.checked
                  ? omittedKeys.filter((one) => one !== key)
                  : [...omittedKeys, key],
              );
            }}
          />
        ))}
      </div>
      <div className="row">
        <Button onClick={() => void keep()} loading={accept.isPending} disabled={selected.length === 0}>
          Keep {count(selected.length)}
        </Button>
      </div>
    </section>
  );
}

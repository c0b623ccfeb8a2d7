import { Button } from '@mantine/core';
import type { ContractEvaluation, DataContract } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { ProblemNote } from '../../../ui/feedback/problem.tsx';
import { useAddress } from '../../../ui/frame/address.ts';
import { Time } from '../../../ui/text/time.tsx';
import { evaluationReasonWords } from '../alert-words.ts';
import { failureInWords, Score } from '../outcome.tsx';
import { evaluation } from '../requests/contracts.ts';
import { RuleResults } from './rule-results.tsx';

type Props = { readonly record: DataContract; readonly items: readonly ContractEvaluation[] };

/** Rules with the results of the evaluation in the address, or of the last evaluation that ended. */
export function ContractRules({ record, items }: Props) {
  const [{ evaluation: addressed }, change] = useAddress();
  const last = items.find(({ finishedAt }) => finishedAt !== null);
  const selectedId = Number(addressed) || last?.id;
  const detail = useQuery({ ...evaluation(record.id, selectedId ?? 0), enabled: selectedId !== undefined });
  const selected = detail.data?.id === selectedId ? detail.data : undefined;
  const ended = selected ?? (selectedId === last?.id ? last : undefined);
  return (
    <div className="stack-tight">
      {ended && (
        <p className="soft">
          {selectedId === last?.id ? 'Last evaluated' : 'As evaluated'}{' '}
          <Time at={ended.finishedAt ?? ended.createdTime} />, score{' '}
          <Score value={ended.score} limits={limitsOf(record, ended)} />
          {failureInWords(ended)}
          {ended.reason !== null && `. Not evaluated: ${evaluationReasonWords[ended.reason]}`}
          {selectedId !== last?.id && (
            <>
              .{' '}
              <Button size="compact-sm" onClick={() => change({ evaluation: undefined })}>
                Show the last one
              </Button>
            </>
          )}
        </p>
      )}
      {detail.isLoadingError && <ProblemNote error={detail.error} />}
      <RuleResults
        rules={record.rules}
        results={selected?.results}
        isAwaited={detail.isFetching && !selected}
      />
    </div>
  );
}

/** Returns the limits that the page shows next to the score of an evaluation. */
const limitsOf = (record: DataContract, { failScore }: ContractEvaluation): readonly number[] => [
  record.warnScore,
  record.failScore,
  ...(failScore === null ? [] : [failScore]),
];

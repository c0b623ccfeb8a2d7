import { Button } from '@mantine/core';
import { type DataContract, evaluateDataContract } from '@svc/contract';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../../access/use-rights.ts';
import { paths } from '../../../lib/paths.ts';
import { notFoundProblem } from '../../../lib/problem.ts';
import { useChange } from '../../../lib/server-state.ts';
import { ProblemNote, ProblemView } from '../../../ui/feedback/problem.tsx';
import { PageHeader } from '../../../ui/frame/page-header.tsx';
import { Detail } from '../../../ui/record/detail.tsx';
import { Facts } from '../../../ui/record/facts.tsx';
import { Record, useIdParam } from '../../../ui/record/record.tsx';
import { Tag } from '../../../ui/record/status.tsx';
import { AlertStatus } from '../../../views/alerts/alert-status.tsx';
import { ManagedBadge } from '../../../views/managed/managed-badge.tsx';
import { Outcome } from '../outcome.tsx';
import { contract, evaluations } from '../requests/contracts.ts';
import { tableName } from '../table-name.ts';
import { ContractActs } from './contract-acts.tsx';
import { contractFacts } from './contract-facts.tsx';
import { ContractNotices } from './contract-notices.tsx';
import { ContractRecipients } from './contract-recipients.tsx';
import { ContractRules } from './contract-rules.tsx';
import { Evaluations, shown } from './evaluations.tsx';

/** Page of one data contract: its rules with their results, and its evaluations. */
export function ContractPage() {
  const id = useIdParam();
  if (id === undefined) return <ProblemView isPage error={notFoundProblem()} />;
  return <Record read={contract(id)}>{(record) => <ContractView key={record.id} record={record} />}</Record>;
}

function ContractView({ record }: { readonly record: DataContract }) {
  const rights = useRights();
  const evaluate = useChange(evaluateDataContract);
  const list = useQuery(evaluations(record.id, shown));
  const latest = list.data?.items[0];
  const isUnderWay = latest?.status === 'Queued' || latest?.status === 'Running';
  return (
    <>
      <PageHeader
        title={record.name}
        parent={{ to: paths.dataQuality(), label: 'Data quality' }}
        facts={
          <>
            <span role="status">{latest && <Outcome status={latest.status} />}</span>
            <code>{tableName(record)}</code>
            {!record.isEnabled && <Tag>Off</Tag>}
            {record.alertState !== null && (
              <AlertStatus alert={record.alertState} quiet="No alert" pending="Failing, alert pending" />
            )}
            {record.snoozedUntil !== null && <Tag>Snoozed</Tag>}
            <ManagedBadge kind="Contract" id={record.id} />
          </>
        }
        actions={
          rights.canWrite && (
            <>
              <ContractActs record={record} />
              <Button
                variant="filled"
                loading={evaluate.isPending || isUnderWay}
                onClick={() => evaluate.mutate({ params: { id: record.id } })}
              >
                Evaluate now
              </Button>
            </>
          )
        }
      />
      {evaluate.isError && <ProblemNote error={evaluate.error} />}
      <ContractNotices record={record} />
      <Detail
        sections={[
          {
            id: 'rules',
            label: 'Rules',
            count: record.rules.length,
            content: <ContractRules record={record} items={list.data?.items ?? []} />,
          },
          {
            id: 'evaluations',
            label: 'Evaluations',
            count: list.data?.totalCount,
            content: <Evaluations record={record} list={list} />,
          },
          {
            id: 'recipients',
            label: 'Recipients',
            count: record.recipients.length,
            content: <ContractRecipients record={record} canWrite={rights.canWrite} />,
          },
        ]}
        side={<Facts facts={contractFacts(record)} />}
      />
    </>
  );
}

import { type Change, type ChangeStatus, changeKinds, changeStatuses } from '@svc/contract';
import { useRights } from '../../access/use-rights.ts';
import { paths } from '../../lib/paths.ts';
import { LinkButton } from '../../ui/frame/link-button.tsx';
import type { Column } from '../../ui/list/columns.ts';
import { ListPage, type ListState } from '../../ui/list/list-page.tsx';
import { Time } from '../../ui/text/time.tsx';
import { ChangeState, summaryOf } from './change-facts.tsx';
import { changes } from './requests/changes.ts';

const statusOf = (text: string | undefined): ChangeStatus | undefined =>
  changeStatuses.find((status) => status === text);

const read = ({ status, kind, ...rest }: ListState) => {
  const changeStatus = statusOf(status);
  const ofKind = changeKinds.find((one) => one === kind);
  return changes({ ...rest, ...(changeStatus && { status: changeStatus }), ...(ofKind && { kind: ofKind }) });
};

/** Returns the path of the page that opens a request. A plan opens on its own page. */
const placeOf = ({ id, kind, planId }: Change): string =>
  planId !== null ? paths.aiPlan(planId) : kind === 'Query' ? paths.approval(id) : paths.changeApproval(id);

const columns: readonly Column<Change>[] = [
  { id: 'target', label: 'Name', sort: 'targetName', cell: (row) => row.targetName },
  { id: 'change', label: 'Change', width: '240px', from: 640, cell: summaryOf },
  {
    id: 'status',
    label: 'Status',
    sort: 'status',
    width: '120px',
    cell: (row) => <ChangeState status={row.status} />,
  },
  {
    id: 'by',
    label: 'Requested by',
    width: '168px',
    from: 640,
    cell: (row) => (row.isOwn ? 'You' : (row.requestedByUserName ?? 'The service')),
  },
  {
    id: 'decided',
    label: 'Decided by',
    width: '168px',
    from: 960,
    cell: (row) => row.decidedByUserName ?? '',
  },
  {
    id: 'when',
    label: 'Requested',
    sort: 'submittedAt',
    width: '112px',
    align: 'right',
    from: 480,
    cell: (row) => <Time at={row.submittedAt} isQuiet />,
  },
];

/** Changes that another user must approve before they take effect. */
export function ApprovalsPage() {
  const { canRead } = useRights();
  return (
    <ListPage
      id="approvals"
      title="Approvals"
      icon="approval"
      searchLabel="Search by name"
      read={read}
      columns={columns}
      filters={[
        { name: 'kind', label: 'Kind', options: changeKinds.map((value) => ({ value, label: value })) },
        {
          name: 'status',
          label: 'Status',
          options: changeStatuses.map((status) => ({
            value: status,
            label: status === 'Pending' ? 'Waiting' : status,
          })),
        },
      ]}
      keyOf={(row) => row.id}
      to={placeOf}
      isLive
      empty={{
        title: 'Nothing to approve',
        text: 'While the approval workflow is on, new recipients, changes of where they send, and changes of queries wait here until somebody else has reviewed them. So do plans of AI actors, always.',
        action: canRead && <LinkButton to={paths.recipients()}>Recipients</LinkButton>,
      }}
    />
  );
}

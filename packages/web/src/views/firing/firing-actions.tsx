import { Menu } from '@mantine/core';
import {
  acknowledgeAlert,
  acknowledgeContractAlert,
  type FiringItem,
  snoozeDataContract,
  snoozeSubscription,
} from '@svc/contract';
import { type ReactElement, useState } from 'react';
import { useChange } from '../../lib/server-state.ts';
import { AcknowledgeDialog } from '../alerts/acknowledge-dialog.tsx';
import { SnoozeDialog } from '../snooze/snooze-dialog.tsx';

type Props = {
  readonly item: FiringItem;
  /** Button that opens the menu. The menu is open at first. */
  readonly target: ReactElement;
};

/** Acknowledges a problem or snoozes its alerts. */
export function FiringActions({ item, target }: Props) {
  const [open, setOpen] = useState<'acknowledge' | 'snooze' | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <Menu defaultOpened>
        <Menu.Target>{target}</Menu.Target>
        <Menu.Dropdown>
          {item.hasAlert && <Menu.Item onClick={() => setOpen('acknowledge')}>Acknowledge</Menu.Item>}
          <Menu.Item onClick={() => setOpen('snooze')}>Snooze alerts</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'acknowledge' && <Acknowledge item={item} onClose={close} />}
      {open === 'snooze' && <Snooze item={item} onClose={close} />}
    </>
  );
}

type DialogProps = { readonly item: FiringItem; readonly onClose: () => void };
const touches = ['home', 'subscriptions', 'data quality', 'control-tower'];

function Acknowledge({ item, onClose }: DialogProps) {
  const ofSubscription = useChange(acknowledgeAlert, { touches });
  const ofContract = useChange(acknowledgeContractAlert, { touches });
  return (
    <AcknowledgeDialog
      name={item.name}
      onAcknowledge={async (body) => {
        if (item.subscriptionId !== null)
          await ofSubscription.mutateAsync({ params: { id: item.subscriptionId }, body });
        if (item.contractId !== null) await ofContract.mutateAsync({ params: { id: item.contractId }, body });
      }}
      onClose={onClose}
    />
  );
}

function Snooze({ item, onClose }: DialogProps) {
  const ofSubscription = useChange(snoozeSubscription, { touches });
  const ofContract = useChange(snoozeDataContract, { touches });
  return (
    <SnoozeDialog
      reason={null}
      timeZone={item.timeZone}
      onSnooze={async (body) => {
        if (item.subscriptionId !== null)
          await ofSubscription.mutateAsync({ params: { id: item.subscriptionId }, body });
        if (item.contractId !== null) await ofContract.mutateAsync({ params: { id: item.contractId }, body });
      }}
      onClose={onClose}
    >
      It still runs and updates its tasks. Recipients get nothing from scheduled runs meanwhile.
    </SnoozeDialog>
  );
}

import { archiveUser, signUserOutEverywhere, toggleUserEnabled, type User } from '@svc/contract';
import { useChange } from '../../lib/server-state.ts';
import { toastDone } from '../../ui/feedback/toast.tsx';
import { ConfirmDialog } from '../../ui/form/confirm-dialog.tsx';

/** Action on an account that needs a confirmation. */
export type AccountAction = 'toggle' | 'sign-out' | 'archive';

type Props = {
  readonly action: AccountAction;
  readonly user: User;
  readonly onClose: () => void;
};

/** Confirms and performs an action on a user's account. */
export function AccountDialog({ action, user, onClose }: Props) {
  const toggle = useChange(toggleUserEnabled, { touches: ['api-keys'] });
  const signOut = useChange(signUserOutEverywhere);
  const archive = useChange(archiveUser, { touches: ['api-keys', 'projects'] });
  const params = { id: user.id };
  const keysEnd = 'Every API key of theirs is revoked with it, and cannot be brought back.';
  const actions = {
    toggle: {
      title: user.isEnabled ? `Switch ${user.userName} off?` : `Switch ${user.userName} on?`,
      label: user.isEnabled ? 'Switch off' : 'Switch on',
      text: user.isEnabled
        ? `They are signed out and cannot sign in. ${keysEnd}`
        : `They can sign in again. ${keysEnd}`,
      run: () => toggle.mutateAsync({ params }),
    },
    'sign-out': {
      title: `Sign ${user.userName} out everywhere?`,
      label: 'Sign out everywhere',
      text: 'Their sessions end in every browser. They can sign in again.',
      run: () => signOut.mutateAsync({ params }),
    },
    archive: {
      title: `Archive ${user.userName}?`,
      label: 'Archive user',
      text: `They cannot sign in any more, for good. ${keysEnd}`,
      run: () => archive.mutateAsync({ params }),
    },
  } as const;
  const { title, label, text, run } = actions[action];
  return (
    <ConfirmDialog
      title={title}
      act={label}
      onConfirm={async () => {
        await run();
        toastDone(`Done: ${user.userName}.`);
      }}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  );
}

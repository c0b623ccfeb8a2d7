import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Form } from '../../lib/form.ts';
import { ProblemNote } from '../feedback/problem.tsx';
import { Dialog } from './dialog.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

type Props<Values> = {
  readonly title: string;
  readonly form: Form<Values>;
  /** Label of the submit button. */
  readonly act: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: number;
};

/** Form in a dialog. It asks for confirmation before it closes with unsaved changes. */
export function FormDialog<Values>({ title, form, act, onClose, children, size = 480 }: Props<Values>) {
  const [isAsking, setAsking] = useState(false);
  const close = () => (form.isDirty ? setAsking(true) : onClose());
  return (
    <Dialog onClose={close} title={title} size={size}>
      <UnsavedGuard isDirty={form.isDirty} />
      <form className="stack" onSubmit={form.submit} noValidate>
        <ProblemNote error={form.refusal} />
        {children}
        {isAsking ? (
          <div className="row wrap" role="alert">
            <span className="grow">What you filled in is not saved.</span>
            <Button color="red" onClick={onClose}>
              Discard
            </Button>
            <Button onClick={() => setAsking(false)} data-autofocus autoFocus>
              Keep editing
            </Button>
          </div>
        ) : (
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="subtle" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" variant="filled" loading={form.isSending}>
              {act}
            </Button>
          </div>
        )}
      </form>
    </Dialog>
  );
}

import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Form } from '../../lib/form.ts';
import { ProblemNote } from '../feedback/problem.tsx';
import { Dialog } from './dialog.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

type Props<Values> = {
  readonly title: string;
  readonly form: Form<Values>;
  /** The act, as the button names it. */
  readonly act: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: number;
};

/** A form in a dialog. Closing it by a slip of the hand loses nothing: what was filled in is asked about. */
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

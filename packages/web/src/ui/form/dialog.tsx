import { Modal, type ModalProps } from '@mantine/core';
import { useId } from 'react';
import { useFocusBack } from './focus-back.ts';

type Props = Omit<ModalProps, 'opened' | 'returnFocus' | 'id'>;

/** A dialog that is open as long as it is drawn. When it closes, focus goes back to what opened it. */
export function Dialog(props: Props) {
  const id = useId();
  useFocusBack(id);
  return <Modal {...props} id={id} opened returnFocus={false} />;
}

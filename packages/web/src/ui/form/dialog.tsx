import { Modal, type ModalProps } from '@mantine/core';
import { useId } from 'react';
import { useFocusBack } from './focus-back.ts';

type Props = Omit<ModalProps, 'opened' | 'returnFocus' | 'id'>;

/** A dialog that is open as long as it is drawn. When it closes, focus goes back to what opened it. */
export function Dialog(props: Props) {
  const id = useId();
  useFocusBack(id);
  const { content, ...parts } = typeof props.attributes === 'object' ? props.attributes : {};
  // The head of a dialog is no banner of the page, which has its own on a narrow screen.
  const attributes = { ...parts, ...(content && { content }), header: { role: 'presentation' } };
  return <Modal {...props} id={id} opened returnFocus={false} attributes={attributes} />;
}

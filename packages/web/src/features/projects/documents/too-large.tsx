import { documentBytesMax } from '@svc/contract';
import { size } from '../../../lib/format.ts';

/** Alert about a file that is too large to upload. */
export const TooLarge = ({ file }: { readonly file: File }) => (
  <span role="alert" style={{ color: 'var(--red)' }}>
    {file.name} has {size(file.size)}. Upload at most {size(documentBytesMax)}.
  </span>
);

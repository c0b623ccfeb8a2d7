import { useEffect, useState } from 'react';
import { useAddress } from './address.ts';

/**
 * Returns the state of a creation dialog. A button opens it, or an address with `new`; that parameter is then removed.
 */
export function useMakingDialog(): readonly [boolean, (isOpen: boolean) => void] {
  const [{ new: request }, change] = useAddress();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (request === undefined) return;
    setOpen(true);
    change({ new: undefined });
  }, [request, change]);
  return [isOpen, setOpen];
}

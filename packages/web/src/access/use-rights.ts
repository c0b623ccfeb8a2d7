import { useQuery } from '@tanstack/react-query';
import { permissions } from '../requests/session.ts';
import { noRights, type Rights } from './rights.ts';

/** Returns the rights of the signed-in user, or no rights until the service has returned them. */
export const useRights = (): Rights => useQuery(permissions).data ?? noRights;

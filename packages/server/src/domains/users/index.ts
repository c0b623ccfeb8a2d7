export { isPrivileged, levelOf, noRights, type Rights, rightsOf } from './access.ts';
export {
  deleteRoles,
  renewStamp,
  setLook,
  setPassword,
  setUnmailedNoticeKinds,
  unmailedNoticeKinds,
  updateNames,
} from './manage-store.ts';
export { personOf } from './person.ts';
export { presentUser } from './present.ts';
export { roles } from './roles.ts';
export { userRoutes } from './routes.ts';
export { createUsersService, type UsersService } from './service.ts';
export {
  findAdminIds,
  findHolderIds,
  findUser,
  findUserByIdentity,
  findUserByName,
  findUsers,
  insertRoles,
  insertUser,
  lockUser,
  type NewUser,
  noteSignIn,
  renewPasswordHash,
  type StoredUser,
} from './store.ts';

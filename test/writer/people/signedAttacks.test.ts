import { testSignedAttacks } from './attacks/signedAttacks';
import { signedOrders } from './signedOrders';

const office = signedOrders({ isShared: true });

testSignedAttacks(office, () => office.writer().api);

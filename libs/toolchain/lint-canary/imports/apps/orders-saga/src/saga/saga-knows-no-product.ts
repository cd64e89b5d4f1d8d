import { plan } from '../products/topup/plan';

export const wrong = plan;

import { describeCustody } from './suite';
import { inProcess } from './ways';

describeCustody(inProcess());

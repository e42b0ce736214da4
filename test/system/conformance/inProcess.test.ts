import { inProcess } from './subject/ways';
import { describeCustody } from './suite';

describeCustody(inProcess());

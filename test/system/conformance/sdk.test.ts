import { describeAnswers } from './description/describeAnswers';
import { describeMethods } from './description/describeMethods';
import { throughSdks } from './subject/ways';
import { describeCustody } from './suite';

const way = throughSdks();
describeCustody(way);
describeAnswers(way);
describeMethods(way.methods);

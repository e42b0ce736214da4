import { describeAnswers } from './describeAnswers';
import { describeMethods } from './describeMethods';
import { describeCustody } from './suite';
import { throughSdks } from './ways';

const way = throughSdks();
describeCustody(way);
describeAnswers(way);
describeMethods(way.methods);

import { describeAnswers } from './description/describeAnswers';
import { overHttp } from './subject/ways';
import { describeCustody } from './suite';

const way = overHttp();
describeCustody(way);
describeAnswers(way);
